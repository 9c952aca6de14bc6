import { describe, expect, it } from 'vitest'
import { findCounterViolations, gone, type Outcome, Register, UploadHistory } from './history.ts'

/** Tests the checkers themselves: a violation they miss would go unnoticed in every fault test. */
describe('a history of uploads', () => {
  const makeHistory = (outcome: Outcome) => {
    const history = new UploadHistory()
    history.invoke('a', 'sum', 1).outcome = outcome
    return history
  }
  const a = { name: 'a', sha256: 'sum', place: 'listed' as const }

  it.each([
    ['ok', [a], []],
    ['ok', [], ['a was acknowledged but is lost']],
    ['ok', [a, a], ['a exists 2 times']],
    ['ok', [{ ...a, sha256: 'other' }], ['a exists with other bytes than were sent']],
    ['ok', [{ ...a, place: 'trash' as const }], ['a should be listed but is in the trash']],
    ['ok', [a, { ...a, name: 'a (1)' }], ['a (1) exists but was never sent']],
    ['fail', [], []],
    ['fail', [a], ['a was rejected but exists']],
    ['info', [], []],
    ['info', [a], []],
    ['info', [{ ...a, sha256: 'half' }], ['a exists with other bytes than were sent']],
  ] as const)('checks an upload with the outcome %s against the files found: %j', (outcome, found, expected) => {
    expect(makeHistory(outcome).findViolations([...found])).toEqual(expected)
  })
})

describe('a history of a register', () => {
  const write = (register: Register, value: string, outcome: Outcome) => register.write(value, async () => outcome)
  const probe = (register: Register, value: string, isInEffect: boolean) => register.probe(value, async () => isInEffect)
  const staleViolation = ['thing: "one" was in effect although it was replaced or never written']
  const lostViolation = (value: string) => [`thing: ${value} was acknowledged but is not in effect`]

  it.each<[string, [string, Outcome][], [string, boolean], string[]]>([
    ['a written value is in effect', [['one', 'ok']], ['one', true], []],
    ['a written value is lost', [['one', 'ok']], ['one', false], lostViolation('"one"')],
    ['a value that was never written is in effect', [], ['one', true], staleViolation],
    ['a rejected value is in effect', [['one', 'fail']], ['one', true], staleViolation],
    [
      'a replaced value is in effect',
      [
        ['one', 'ok'],
        ['two', 'ok'],
      ],
      ['one', true],
      staleViolation,
    ],
    [
      'a possibly replaced value is in effect',
      [
        ['one', 'ok'],
        ['two', 'info'],
      ],
      ['one', true],
      [],
    ],
    [
      'a possibly replaced value is not in effect',
      [
        ['one', 'ok'],
        ['two', 'info'],
      ],
      ['one', false],
      [],
    ],
    [
      'a possibly written, then certainly replaced value is in effect',
      [
        ['one', 'info'],
        ['two', 'ok'],
      ],
      ['one', true],
      staleViolation,
    ],
    [
      'a deleted record still exists',
      [
        ['one', 'ok'],
        [gone, 'ok'],
      ],
      [gone, false],
      lostViolation(gone),
    ],
    [
      'a deleted value is in effect',
      [
        ['one', 'ok'],
        [gone, 'ok'],
      ],
      ['one', true],
      staleViolation,
    ],
    [
      'a replacement is rejected, and the previous value is lost',
      [
        ['one', 'ok'],
        ['two', 'fail'],
      ],
      ['one', false],
      lostViolation('"one"'),
    ],
  ])('is checked correctly if %s', async (_, writes, [value, isInEffect], expected) => {
    const register = new Register('thing')
    for (const [value, outcome] of writes) await write(register, value, outcome)
    await probe(register, value, isInEffect)
    expect(register.findViolations()).toEqual(expected)
  })

  it('allows either value while a write is in progress', async () => {
    const register = new Register('thing')
    await write(register, 'one', 'ok')
    const response = Promise.withResolvers<Outcome>()
    const pendingWrite = register.write('two', () => response.promise)
    await probe(register, 'one', true)
    await probe(register, 'two', true)
    response.resolve('ok')
    await pendingWrite
    await probe(register, 'two', true)
    expect(register.findViolations()).toEqual([])
    await probe(register, 'one', true)
    expect(register.findViolations()).toEqual(staleViolation)
  })
})

it('reports a counter that differs from the sum of the files, or a sum over the quota', () => {
  const account = { company: 'Acme', bytes: 10, sum: 10 }
  expect(findCounterViolations([account], 10)).toEqual([])
  expect(findCounterViolations([account], 9)).toEqual(['Acme stores 10 bytes, more than its quota of 9'])
  expect(findCounterViolations([{ ...account, bytes: 9 }])).toEqual(['Acme’s counter is 9 bytes, but its files have 10'])
})
