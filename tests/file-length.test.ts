import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const folders = '{contract,server,web,tests,scripts,deploy,docs,.github}'
const kinds = '{ts,tsx,mjs,js,css,html,md,sh,yml,yaml}'

const isOurs = (file: string) => !/(^|\/)(node_modules|dist)\//.test(file)
const files = [...globSync(`${folders}/**/*.${kinds}`, { cwd: root }), ...globSync(`*.${kinds}`, { cwd: root })].filter(isOurs)
const countLines = (file: string) => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length

it('no file is longer than 300 lines', () => {
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => countLines(file) > 300)).toEqual([])
})
