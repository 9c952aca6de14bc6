import { describe, expect, it } from 'vitest'
import { openOffice } from '../link/testing.ts'

/** Starts a server with files of Kim's company, Acme GmbH, and of Eve's, Acme 2. */
async function openSearchOffice() {
  const office = await openOffice()
  for (const name of ['Steuerbescheid 2019.txt', 'Steuerbescheid 2020.txt', 'Zahnärzte Maße.txt', 'Angebot.txt'])
    await office.put(office.plans, name, office.kim)
  await office.put(office.foreign, 'Angebot.txt', office.eve)
  const find = async (path: string, search: string, field: string, who = office.admin) =>
    ((await office.data('GET', `${path}?search=${encodeURIComponent(search)}&sort=name`, who)) as Record<string, string>[]).map(
      (row) => row[field],
    )
  const findFiles = (search: string, who = office.admin) => find('/v1/file', search, 'file_name', who)
  return { ...office, find, findFiles }
}

describe('a search', () => {
  it('finds files whose name contains every word, in any order', async () => {
    await using office = await openSearchOffice()
    for (const search of ['steuerb 2019', '2019 steuerbescheid', '  STEUER   2019 '])
      expect(await office.findFiles(search)).toEqual(['Steuerbescheid 2019.txt'])
    expect(await office.findFiles('steuer 2021')).toEqual([])
    expect(await office.findFiles('steuer 20')).toHaveLength(2)
  })

  it('finds files by their name and the name of their company', async () => {
    await using office = await openSearchOffice()
    expect(await office.findFiles('angebot')).toHaveLength(2)
    expect(await office.findFiles('acme angebot')).toHaveLength(2)
    expect(await office.findFiles('gmbh angebot')).toEqual(['Angebot.txt'])
    expect(await office.findFiles('angebot gmbh acme')).toEqual(['Angebot.txt'])
    expect(await office.findFiles('gmbh')).toEqual([]) // the name of a company alone finds no file
    expect(await office.findFiles('gmbh acme')).toEqual([])
    // Kim sees only her own company. Its name is not searched, because it would match every file.
    expect(await office.findFiles('gmbh angebot', office.kim)).toEqual([])
  })

  it('finds directories and links by the name of their company, too', async () => {
    await using office = await openSearchOffice()
    await office.share()
    expect(await office.find('/v1/directory', 'gmbh plans', 'directory')).toEqual(['Plans'])
    expect(await office.find('/v1/directory', 'gmbh foreign', 'directory')).toEqual([])
    expect(await office.find('/v1/link', 'plans gmbh', 'name')).toEqual(['Plans'])
    expect(await office.find('/v1/link', 'gmbh', 'name')).toEqual([])
  })

  it('finds people by words of their name, address and company', async () => {
    await using office = await openSearchOffice()
    expect(await office.find('/v1/admin/user', 'gmbh kim', 'email')).toEqual(['kim@acme.example'])
    expect(await office.find('/v1/admin/user', 'doe eve@', 'email')).toEqual(['eve@globex.example'])
    expect(await office.find('/v1/admin/user', 'gmbh eve@', 'email')).toEqual([])
    expect(await office.find('/v1/admin/company', 'gmbh acme', 'name')).toEqual(['Acme GmbH'])
  })

  it('finds names with umlauts and ß that are typed without them, and the other way round', async () => {
    await using office = await openSearchOffice()
    for (const search of ['zahnaerzte', 'zahnärzte', 'masse', 'zahnaerzte masse', 'Maße'])
      expect(await office.findFiles(search)).toEqual(['Zahnärzte Maße.txt'])
    await office.put(office.plans, 'Jahresabschluss Mueller.txt', office.kim)
    for (const search of ['abschluß', 'müller', 'abschluss mueller'])
      expect(await office.findFiles(search)).toEqual(['Jahresabschluss Mueller.txt'])
  })
})
