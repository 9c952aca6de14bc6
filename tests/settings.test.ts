import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Env } from '../server/src/config.ts'
import { settingVariables } from '../server/src/lib/environment-settings.ts'

interface Setting {
  type?: string
  default?: string | number
  minimum?: number
  maximum?: number
  enum?: string[]
}

interface Row {
  name: string
  defaultCell: string
  allowed: string
  effect: string
}

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Returns the rows of all tables on the page. A row describes one setting. */
function readRows(page: string): Row[] {
  const lines = page.split('\n').filter((line) => /^\| `/.test(line))
  return lines.map((line) => {
    const [, name = '', defaultCell = '', allowed = '', effect = ''] = line.split('|').map((cell) => cell.trim())
    return { name: name.replaceAll('`', ''), defaultCell, allowed, effect }
  })
}

const formatNumber = (value: number) => value.toLocaleString('en-US')

/** Returns the text that the cell with the allowed values must start with. It is empty if the schema does not limit the values. */
function describeAllowedValues({ type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER, enum: values }: Setting): string {
  if (values) return values.map((value) => `\`${value}\``).join(', ')
  if (type !== 'integer') return ''
  return maximum === Number.MAX_SAFE_INTEGER
    ? `${formatNumber(minimum)} or more`
    : `${formatNumber(minimum)} to ${formatNumber(maximum)}`
}

/** The JSON Schema of the settings as operators write them, before parsing. */
const { properties = {} } = Env.toJSONSchema({ io: 'input' })
const settings = Object.entries(properties as Record<string, Setting>)
const names = settings.map(([name]) => name)
const rows = readRows(read('docs/settings.md'))
const findRow = (name: string) => rows.find((row) => row.name === name)

describe('docs/settings.md', () => {
  it('documents every setting once, and no other', () => {
    expect(settings.length).toBeGreaterThan(35)
    expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
    expect(rows.filter(({ effect }) => effect === '')).toEqual([])
  })

  it.each(settings)('states the default of %s', (name, { default: defaultValue }) => {
    if (defaultValue === undefined || defaultValue === '') expect(findRow(name)?.defaultCell).not.toMatch(/^(`[^`]*`)?$/)
    else expect(findRow(name)?.defaultCell).toBe(`\`${defaultValue}\``)
  })

  it.each(settings)('states the allowed values of %s', (name, setting) => {
    const { allowed = '' } = findRow(name) ?? {}
    expect(allowed).not.toBe('')
    const expected = describeAllowedValues(setting)
    expect(allowed.slice(0, expected.length)).toBe(expected)
  })
})

describe('settings that admins can change', () => {
  const locks = Object.entries(settingVariables).flatMap(([section, fields]) =>
    Object.entries(fields).map(([field, variable]) => `${section}.${field} ${variable}`),
  )

  it('are documented with the variables that lock them', () => {
    const lines = [...read('docs/settings.md').matchAll(/^\| ([A-Z][a-z]+): [^(|]*\(([^)]*)\) \| `([A-Z_]+)`/gm)]
    const documented = lines.flatMap(([, section = '', fields = '', variable]) =>
      fields.split(', ').map((field) => `${section.toLowerCase()}.${field.replaceAll('`', '')} ${variable}`),
    )
    expect(documented.toSorted()).toEqual(locks.toSorted())
  })

  it('are locked by existing variables only', () => {
    expect(locks.length).toBeGreaterThan(15)
    for (const lock of locks) expect(names).toContain(lock.split(' ')[1])
  })
})

describe('.env.example', () => {
  const examples = new Map([...read('.env.example').matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]))

  it('names every setting, and no other', () => {
    expect([...examples.keys()].toSorted()).toEqual(names.toSorted())
  })

  it.each(settings.filter(([, setting]) => setting.default !== undefined))('has the default of %s', (name, setting) => {
    expect(examples.get(name)).toBe(String(setting.default))
  })
})
