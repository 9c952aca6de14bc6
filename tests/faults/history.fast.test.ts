import { describe, expect, it } from 'vitest'
import { counterViolations, gone, type Outcome, Register, SetHistory } from './history.ts'

/** The judges themselves: what they let pass would pass for ever. */
describe('a history of uploads', () => {
  const sent = (outcome: Outcome) => {
    const history = new SetHistory()
    history.invoke('a', 'sum', 1).outcome = outcome
    return history
  }
  const a = { name: 'a', sha256: 'sum', place: 'listed' as const }

  it.each([
    ['ok', [a], []],
    ['ok', [], ['a was acknowledged and is lost']],
    ['ok', [a, a], ['a is there 2 times']],
    ['ok', [{ ...a, sha256: 'other' }], ['a is there with other bytes than were sent']],
    ['ok', [{ ...a, place: 'trash' as const }], ['a should be listed and is in the trash']],
    ['ok', [a, { ...a, name: 'a (1)' }], ['a (1) is there and was never sent']],
    ['fail', [], []],
    ['fail', [a], ['a was refused and is there']],
    ['info', [], []],
    ['info', [a], []],
    ['info', [{ ...a, sha256: 'half' }], ['a is there with other bytes than were sent']],
  ] as const)('%s, and then %j', (outcome, found, wrong) => {
    expect(sent(outcome).violations([...found])).toEqual(wrong)
  })
})

describe('a history of a register', () => {
  const write = (register: Register, value: string, outcome: Outcome) => register.write(value, async () => outcome)
  const probe = (register: Register, value: string, holds: boolean) => register.probe(value, async () => holds)
  const held = ['thing: "one" held, though it was replaced or never given']
  const lost = (value: string) => [`thing: ${value} was acknowledged and does not hold`]

  it.each<[string, [string, Outcome][], [string, boolean], string[]]>([
    ['what was written holds', [['one', 'ok']], ['one', true], []],
    ['what was written is lost', [['one', 'ok']], ['one', false], lost('"one"')],
    ['what was never written holds', [], ['one', true], held],
    ['what was refused holds', [['one', 'fail']], ['one', true], held],
    [
      'what was replaced holds',
      [
        ['one', 'ok'],
        ['two', 'ok'],
      ],
      ['one', true],
      held,
    ],
    [
      'what was perhaps replaced holds',
      [
        ['one', 'ok'],
        ['two', 'info'],
      ],
      ['one', true],
      [],
    ],
    [
      'what was perhaps replaced does not hold',
      [
        ['one', 'ok'],
        ['two', 'info'],
      ],
      ['one', false],
      [],
    ],
    [
      'what was perhaps written, and then surely replaced, holds',
      [
        ['one', 'info'],
        ['two', 'ok'],
      ],
      ['one', true],
      held,
    ],
    [
      'what was deleted is there',
      [
        ['one', 'ok'],
        [gone, 'ok'],
      ],
      [gone, false],
      lost(gone),
    ],
    [
      'what was deleted holds',
      [
        ['one', 'ok'],
        [gone, 'ok'],
      ],
      ['one', true],
      held,
    ],
    [
      'a replacement was refused, and what was before is lost',
      [
        ['one', 'ok'],
        ['two', 'fail'],
      ],
      ['one', false],
      lost('"one"'),
    ],
  ])('%s', async (_, writes, [value, holds], wrong) => {
    const register = new Register('thing')
    for (const [value, outcome] of writes) await write(register, value, outcome)
    await probe(register, value, holds)
    expect(register.violations()).toEqual(wrong)
  })

  it('whoever asked before the new value was acknowledged may see either', async () => {
    const register = new Register('thing')
    await write(register, 'one', 'ok')
    const answer = Promise.withResolvers<Outcome>()
    const writing = register.write('two', () => answer.promise)
    await probe(register, 'one', true)
    await probe(register, 'two', true)
    answer.resolve('ok')
    await writing
    await probe(register, 'two', true)
    expect(register.violations()).toEqual([])
    await probe(register, 'one', true)
    expect(register.violations()).toEqual(held)
  })
})

it('a history of a counter: the number is the sum, and not above the limit', () => {
  const account = { company: 'Acme', bytes: 10, sum: 10 }
  expect(counterViolations([account], 10)).toEqual([])
  expect(counterViolations([account], 9)).toEqual(['Acme keeps 10 bytes, more than the 9 it may'])
  expect(counterViolations([{ ...account, bytes: 9 }])).toEqual(['Acme is said to keep 9 bytes, and its files have 10'])
})
