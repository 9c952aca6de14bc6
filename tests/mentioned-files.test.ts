import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const isOurs = (file: string) => !/(^|\/)(node_modules|dist)\//.test(file)
const files = globSync('{*,{contract,server,web,tests,scripts,docs}/**/*}.{ts,tsx,mjs,md}', { cwd: root }).filter(isOurs)
const exists = (mentioned: string) => files.some((file) => file === mentioned || file.endsWith(`/${mentioned}`))

/** The page about receipts tells readers to create a script with this name. */
const notInRepository = ['verify.mjs']

/** Returns the source files that a page or a comment mentions. */
function findMentions(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.md')) return [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g)].map(([, name = '']) => name)
  const comments = [...text.matchAll(/(?:\/\/|\/\*\*|^ *\*) .*/gm)].map(([comment]) => comment)
  return comments.flatMap((comment) =>
    [...comment.matchAll(/(?<![\w/.$*<-])((?:[\w.-]+\/)*\w[\w.-]*\.(?:tsx?|mjs))\b/g)].map(([, name = '']) => name),
  )
}

it('every source file that a comment or a page mentions exists', () => {
  const mentions = files.flatMap((file) => findMentions(file).map((name) => ({ file, name })))
  expect(mentions.length).toBeGreaterThan(50)
  expect(mentions.filter(({ name }) => !exists(name) && !notInRepository.includes(name))).toEqual([])
})
