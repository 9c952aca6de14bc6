import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

it('commit subjects are conventional', () => {
  const log = execFileSync('git', ['log', '-n', '200', '--no-merges', '--format=%s'], { cwd: root, encoding: 'utf8' })
  const subjects = log.trim().split('\n')
  const conventional = /^(build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(\([a-z0-9, -]+\))?!?: \S.{0,120}$/
  expect(subjects.filter((subject) => !conventional.test(subject))).toEqual([])
  expect(subjects[0]).toMatch(conventional)
})
