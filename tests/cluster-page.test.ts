import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
/** Lines without the space before them: a function indents what the page does not. */
const bare = (text: string) => text.trim().replaceAll(/^\s+/gm, '')

const page = read('docs/operating/cluster.md') + read('docs/operating/cluster-running.md')
const steps = `${read('scripts/cluster-steps.sh')}\n`
const functions = [...steps.matchAll(/^\w+\(\) \{\n(.*?)^\}(?=\n\n)/gms)].map(([all, body = '']) => ({
  all: bare(all),
  body: bare(body),
}))
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => bare(block))

it('scripts/cluster.sh does what its page says, and nothing else: each block of the page is a function of it, and the other way round', () => {
  expect(blocks.length).toBeGreaterThan(10)
  const known = functions.flatMap(({ all, body }) => [all, body])
  expect(blocks.filter((block) => !known.includes(block))).toEqual([])
  expect(functions.filter(({ all, body }) => !blocks.includes(all) && !blocks.includes(body)).map(({ all }) => all)).toEqual([])
})
