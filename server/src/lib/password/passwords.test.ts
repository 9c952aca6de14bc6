import { expect, it } from 'vitest'
import { decoyHash, generatePassword, hashPassword, matchesPassword, needsRehash, runPasswordTask } from './passwords.ts'

it('hashes a password to an Argon2id string that only that password matches', async () => {
  const stored = await hashPassword('Grüße, 世界')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await matchesPassword('Grüße, 世界', stored)).toBe(true)
  expect(await matchesPassword('Grüße, 世界 ', stored)).toBe(false)
  expect(needsRehash(stored)).toBe(false)
})

it('hashes the same password differently each time', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'))
})

it('provides a decoy hash that costs as much to check and matches no password', async () => {
  expect(needsRehash(decoyHash)).toBe(false)
  expect(await matchesPassword('', decoyHash)).toBe(false)
})

it('throws server.busy with Retry-After when too many password checks are waiting', async () => {
  const checked = Promise.withResolvers<void>()
  const all = Array.from({ length: 40 }, (_, i) => runPasswordTask(`client ${i}`, () => checked.promise))
  checked.resolve()
  const rejected = (await Promise.allSettled(all)).filter((result) => result.status === 'rejected')
  expect(rejected).toHaveLength(6)
  expect(rejected[0]?.reason).toMatchObject({ code: 'server.busy', retryAfterSeconds: 2 })
})

it('generates passwords of a hundred random bits that are easy to type', () => {
  const passwords = Array.from({ length: 100 }, generatePassword)
  expect(new Set(passwords).size).toBe(100)
  expect(passwords.every((password) => /^([a-hjkmnp-tv-z0-9]{5}-){3}[a-hjkmnp-tv-z0-9]{5}$/.test(password))).toBe(true)
})
