import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asAdmin, expect, openAsAdmin, test } from './fixtures.ts'
import { linkDialogs, otherDialogs, prepare, programDialogs } from './one-press-dialogs.ts'
import { prepareForms, recipientForms, staffForms } from './one-press-forms.ts'
import { presses, pressRepeatedly } from './one-press-steps.ts'
import { peopleDialogs, storageDialogs } from './one-press-storage.ts'
import { withPlainPicker } from './upload-steps.ts'

/** Two groups, so that two browsers run at a time. */
const walks = [
  { ...peopleDialogs, ...storageDialogs },
  { ...linkDialogs, ...programDialogs, ...otherDialogs },
]

test('knows every dialog', () => {
  const source = readFileSync(join(import.meta.dirname, '../../web/src/dialogs/dialog.ts'), 'utf8')
  const kinds = [...source.matchAll(/kind: '([\w-]+)'/g)].map(([, kind]) => kind)
  expect(walks.flatMap((dialogs) => Object.keys(dialogs)).toSorted()).toEqual(kinds.toSorted())
})

test.describe('P52: in every dialog', () => {
  test.use({ settings: { WEBHOOK_PRIVATE: 'on' } })

  for (const [name, press] of Object.entries(presses)) {
    walks.forEach((dialogs, index) => {
      test(`${name} on a slow machine sends one request and presses nothing else (${index + 1})`, async ({
        page,
        baseURL,
        neptune: { folder },
      }) => {
        await withPlainPicker(page)
        const world = { page, baseURL, folder, call: asAdmin(baseURL), ids: await prepare(baseURL) }
        await openAsAdmin(page, '/dashboard')
        const session = await page.context().newCDPSession(page)
        for (const [kind, dialog] of Object.entries(dialogs))
          await test.step(kind, () => pressRepeatedly(world, session, press, dialog))
      })
    })
  }
})

test.describe('P52: in every form', () => {
  for (const [name, press] of Object.entries(presses)) {
    test(`${name} on a slow machine sends one request`, async ({ page, baseURL, neptune: { folder } }) => {
      await withPlainPicker(page)
      const world = { page, baseURL, folder, call: asAdmin(baseURL), ids: await prepareForms(baseURL) }
      const session = await page.context().newCDPSession(page)
      for (const [form, confirmation] of Object.entries({ ...recipientForms, ...staffForms }))
        await test.step(form, () => pressRepeatedly(world, session, press, confirmation))
    })
  }
})
