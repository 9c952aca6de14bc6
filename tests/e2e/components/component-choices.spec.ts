import { expect, test } from './gallery-fixtures.ts'

test('moves through a list of checkboxes with the arrow keys, and keeps each option in its place until the next search', {
  tag: '@slow',
}, async ({ page }) => {
  await page.goto('/')
  const list = page.getByRole('group', { name: 'Clients', exact: true })
  const box = (name: string) => list.getByRole('checkbox', { name, exact: true })
  const readFirst = async (count: number) => (await list.getByRole('listitem').allInnerTexts()).slice(0, count)
  await expect(list).toHaveAccessibleDescription('3 selected')
  await expect(box('Acme GmbH')).toBeDisabled()
  expect(await readFirst(2)).toEqual(['Acme GmbH', 'Client 121'])
  const search = list.getByRole('searchbox', { name: 'Search clients' })
  await search.press('ArrowDown')
  await expect(box('Client 121')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(box('Client 121')).not.toBeChecked()
  await expect(list).toHaveAccessibleDescription('2 selected')
  expect(await readFirst(2)).toEqual(['Acme GmbH', 'Client 121'])
  await page.keyboard.press('End')
  await expect(box('Client 20')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(box('Client 20')).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(list.getByRole('button', { name: 'Show more' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(list.getByRole('checkbox')).toHaveCount(43)
  await page.keyboard.press('Shift+Tab')
  await expect(box('Client 20')).toBeFocused()
  await search.fill('client 2')
  await expect(list.getByRole('checkbox')).toHaveCount(11)
  expect(await readFirst(2)).toEqual(['Client 20', 'Client 2'])
})

test('describes a disclosure by its current value, and hides its choices while it is closed', { tag: '@slow' }, async ({
  page,
}) => {
  await page.goto('/')
  const section = page.locator('section[data-section=Choices]')
  const opener = section.getByRole('button', { name: 'Options', exact: true })
  await expect(opener).toHaveAttribute('aria-expanded', 'false')
  await expect(opener).toHaveAccessibleDescription('Keep both')
  await opener.press('Enter')
  await expect(opener).toHaveAttribute('aria-expanded', 'true')
  await section.getByRole('group', { name: 'Options' }).getByRole('radio', { name: 'Keep both' }).press('ArrowDown')
  await expect(opener).toHaveAccessibleDescription('Replace')
  await opener.press('Enter')
  await expect(section.getByRole('group', { name: 'Options' })).toHaveCount(0)
})
