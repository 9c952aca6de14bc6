import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
/** Removes indentation, which the functions have but the page does not. */
const unindent = (text: string) => text.trim().replaceAll(/^\s+/gm, '')

const page = read('docs/operating/cluster.md') + read('docs/operating/cluster-running.md')
const steps = `${read('scripts/cluster-steps.sh')}\n`
const functions = [...steps.matchAll(/^\w+\(\) \{\n(.*?)^\}(?=\n\n)/gms)].map(([definition, body = '']) => ({
  definition: unindent(definition),
  body: unindent(body),
}))
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => unindent(block))

it('each shell block of the cluster pages is a function of scripts/cluster-steps.sh, and vice versa', () => {
  expect(blocks.length).toBeGreaterThan(10)
  const known = functions.flatMap(({ definition, body }) => [definition, body])
  expect(blocks.filter((block) => !known.includes(block))).toEqual([])
  expect(
    functions
      .filter(({ definition, body }) => !blocks.includes(definition) && !blocks.includes(body))
      .map(({ definition }) => definition),
  ).toEqual([])
})
