import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const subjects = existsSync(join(root, '.git'))
  ? execFileSync('git', ['log', '-n', '200', '--no-merges', '--format=%s'], { cwd: root, encoding: 'utf8' })
  : ''

it('commits are conventional', () => {
  const conventional = /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([a-z0-9, -]+\))?!?: \S.{0,120}$/
  expect(subjects.split('\n').filter((subject) => subject && !conventional.test(subject))).toEqual([])
})
