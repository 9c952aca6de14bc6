import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'

/** Starts a server with a third company, in which Ada works. Returns the ids of Eve's company and of Ada's. */
async function openOfficeWithAda() {
  const office = await openOffice()
  const adaId = await office.addUser({ email: 'ada@initech.example' })
  const ada = await office.startSessionAs('ada@initech.example')
  const adasDirectory = await office.addDirectory(ada, 'Contracts')
  await office.addFile(adasDirectory, 'contract.txt', ada)
  const [acme, globex, initech] = await Promise.all([office.kim, office.eve, ada].map(office.companyOf))
  const give = (access: string, companies?: (string | undefined)[]) =>
    office.call('PATCH', `/v1/admin/user/${office.kimId}/access`, office.admin, { access, ...(companies && { companies }) })
  const names = async (path: string, field: string, who = office.kim): Promise<string[]> => {
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const page = (await office.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=2${cursor}`, who)).json()
      found.push(...page.data.map((row: Record<string, string>) => row[field]))
      if (!page.next) return found.toSorted()
      cursor = `&cursor=${encodeURIComponent(page.next)}`
    }
  }
  return { ...office, ada, adaId, adasDirectory, acme, globex, initech, give, names }
}

const lists = [
  ['/v1/directory?sort=name', 'directory', ['Other', 'Plans'], ['Foreign'], ['Contracts']],
  ['/v1/directory?sort=-created_at', 'directory', ['Other', 'Plans'], ['Foreign'], ['Contracts']],
  ['/v1/file?sort=name', 'file_name', ['first.txt', 'hidden.txt', 'second.txt'], ['foreign.txt'], ['contract.txt']],
  ['/v1/file?sort=-size', 'file_name', ['first.txt', 'hidden.txt', 'second.txt'], ['foreign.txt'], ['contract.txt']],
  ['/v1/file?search=txt', 'file_name', ['first.txt', 'hidden.txt', 'second.txt'], ['foreign.txt'], ['contract.txt']],
  ['/v1/admin/company?sort=name', 'name', ['Acme GmbH'], ['Acme 2'], ['Acme 4']],
  ['/v1/admin/user?sort=email', 'email', ['kim@acme.example'], ['eve@globex.example'], ['ada@initech.example']],
] as const

describe('a user', () => {
  it.each(lists)('sees only the companies they have access to: %s', async (path, field, own, selected, other) => {
    await using office = await openOfficeWithAda()
    expect(await office.names(path, field)).toEqual(own.toSorted())
    expect((await office.give('selected', [office.globex])).json().data.access).toBe('selected')
    expect(await office.names(path, field)).toEqual([...own, ...selected].toSorted())
    await office.give('all')
    expect(await office.names(path, field)).toEqual(expect.arrayContaining([...own, ...selected, ...other]))
    await office.give('own')
    expect(await office.names(path, field)).toEqual(own.toSorted())
  })

  it.each(lists)('sees the same with very many selected companies: %s', async (path, field, own, selected) => {
    await using office = await openOfficeWithAda()
    await addCompanies(office, 250)
    await office.give('selected', [office.globex])
    await office.deps.db
      .insertInto('user_company')
      .columns(['user_id', 'company_id'])
      .expression((eb) =>
        eb
          .selectFrom('company')
          .select((eb) => [eb.val(office.kimId).as('user_id'), 'company.id'])
          .where('company.name', 'like', 'Client %'),
      )
      .execute()
    const found = await office.names(path, field)
    expect(found.filter((name) => !name.startsWith('Client '))).toEqual([...own, ...selected].toSorted())
    expect(found).toHaveLength(own.length + selected.length + (field === 'name' ? 250 : 0))
  })
})

async function addCompanies({ deps: { db } }: Awaited<ReturnType<typeof openOffice>>, count: number) {
  const created_at = '2026-01-01T00:00:00.000Z'
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `client${i}`,
    name: `Client ${i}`,
    name_key: `client ${i}`,
    created_at,
  }))
  await db.insertInto('company').values(rows).execute()
}
