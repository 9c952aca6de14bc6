import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runsAllLooks } from '../expect-clean.ts'
import { asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'
import { removeFilePicker } from '../uploads/upload-steps.ts'
import { storageDialogs } from './file-dialogs.ts'
import { prepareForms, recipientForms, staffForms } from './forms.ts'
import { linkDialogs, otherDialogs, prepareDialogs, tokenAndWebhookDialogs } from './link-and-webhook-dialogs.ts'
import { companyDialogs, peopleDialogs } from './people-dialogs.ts'
import { pressMethods, pressRepeatedly } from './press-repeatedly.ts'
import { providerDialogs } from './provider-dialogs.ts'

/** Two groups, so that two browsers can run in parallel. */
const groups = [
  { ...peopleDialogs, ...companyDialogs, ...storageDialogs },
  { ...linkDialogs, ...tokenAndWebhookDialogs, ...otherDialogs, ...providerDialogs },
]

test('covers every dialog', () => {
  const source = readFileSync(join(import.meta.dirname, '../../../web/src/screens/shared/dialogs/dialog.ts'), 'utf8')
  const kinds = [...source.matchAll(/kind: '([\w-]+)'/g)].map(([, kind]) => kind)
  expect(groups.flatMap((dialogs) => Object.keys(dialogs)).toSorted()).toEqual(kinds.toSorted())
})

const pressMethodEntries = Object.entries(pressMethods)
/** `npm run looks` presses every button with every method. `npm run e2e` uses one method per button and cycles through them. */
const runs = runsAllLooks
  ? pressMethodEntries.map(([name, press]) => ({ name, pressFor: () => press }))
  : [
      {
        name: 'a repeated press',
        pressFor: (index: number) => pressMethodEntries[index % pressMethodEntries.length]?.[1] ?? pressMethods['a double click'],
      },
    ]

for (const { name, pressFor } of runs) {
  groups.forEach((dialogs, group) => {
    test.describe('P52: in every dialog', () => {
      test.use({ settings: { WEBHOOK_PRIVATE: 'on' } })

      test(`${name} on a slow machine sends each request once and presses nothing else (${group + 1})`, { tag: '@slow' }, async ({
        page,
        baseURL,
        neptune: { folder },
      }) => {
        await removeFilePicker(page)
        const context = { page, baseURL, folder, call: asAdmin(baseURL), ids: await prepareDialogs(baseURL) }
        await openAsAdmin(page, '/dashboard')
        const session = await page.context().newCDPSession(page)
        for (const [index, [kind, dialog]] of Object.entries(dialogs).entries())
          await test.step(kind, () => pressRepeatedly(context, session, pressFor(index), dialog))
      })
    })
  })

  test(`P52: in forms of recipients and staff, ${name} on a slow machine sends each request once`, { tag: '@slow' }, async ({
    page,
    baseURL,
    neptune: { folder },
  }) => {
    await removeFilePicker(page)
    const context = { page, baseURL, folder, call: asAdmin(baseURL), ids: await prepareForms(baseURL) }
    const session = await page.context().newCDPSession(page)
    for (const [index, [form, confirmation]] of Object.entries({ ...recipientForms, ...staffForms }).entries())
      await test.step(form, () => pressRepeatedly(context, session, pressFor(index), confirmation))
  })
}
