// `npm run openapi`: generates docs/openapi.json from the contract. With --check it only reports whether the file is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildOpenapi } from '../server/src/http/openapi/openapi.ts'
import { root } from './prepare.mjs'

const path = join(root, 'docs/openapi.json')
const text = `${JSON.stringify(buildOpenapi(), null, 2)}\n`
if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
  console.error('docs/openapi.json is stale: run npm run openapi')
  process.exit(1)
}
