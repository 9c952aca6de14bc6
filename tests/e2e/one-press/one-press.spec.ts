import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runsAllLooks } from '../expect-clean.ts'
import { asAdmin, expect, openAsAdmin, test } from '../fixtures.ts'
import { withPlainPicker } from '../uploads/upload-steps.ts'
import { linkDialogs, otherDialogs, prepare, programDialogs } from './one-press-dialogs.ts'
import { prepareForms, recipientForms, staffForms } from './one-press-forms.ts'
import { presses, pressRepeatedly } from './one-press-steps.ts'
import { peopleDialogs, storageDialogs } from './one-press-storage.ts'

/** Two groups, so that two browsers can run in parallel. */
const groups = [
  { ...peopleDialogs, ...storageDialogs },
  { ...linkDialogs, ...programDialogs, ...otherDialogs },
]

test('covers every dialog', () => {
  const source = readFileSync(join(import.meta.dirname, '../../../web/src/screens/shared/dialogs/dialog.ts'), 'utf8')
  const kinds = [...source.matchAll(/kind: '([\w-]+)'/g)].map(([, kind]) => kind)
  expect(groups.flatMap((dialogs) => Object.keys(dialogs)).toSorted()).toEqual(kinds.toSorted())
})

const kindsOfPresses = Object.entries(presses)
/** `npm run looks` presses every button in every way; `npm run e2e` presses each in one of them, in turn. */
const runs = runsAllLooks
  ? kindsOfPresses.map(([name, press]) => ({ name, pressFor: () => press }))
  : [
      {
        name: 'a repeated press',
        pressFor: (index: number) => kindsOfPresses[index % kindsOfPresses.length]?.[1] ?? presses['a double click'],
      },
    ]

for (const { name, pressFor } of runs) {
  groups.forEach((dialogs, group) => {
    test.describe('P52: in every dialog', () => {
      test.use({ settings: { WEBHOOK_PRIVATE: 'on' } })

      test(`${name} on a slow machine sends one request and presses nothing else (${group + 1})`, { tag: '@slow' }, async ({
        page,
        baseURL,
        neptune: { folder },
      }) => {
        await withPlainPicker(page)
        const world = { page, baseURL, folder, call: asAdmin(baseURL), ids: await prepare(baseURL) }
        await openAsAdmin(page, '/dashboard')
        const session = await page.context().newCDPSession(page)
        for (const [index, [kind, dialog]] of Object.entries(dialogs).entries())
          await test.step(kind, () => pressRepeatedly(world, session, pressFor(index), dialog))
      })
    })
  })

  test(`P52: in every form ${name} on a slow machine sends one request`, { tag: '@slow' }, async ({
    page,
    baseURL,
    neptune: { folder },
  }) => {
    await withPlainPicker(page)
    const world = { page, baseURL, folder, call: asAdmin(baseURL), ids: await prepareForms(baseURL) }
    const session = await page.context().newCDPSession(page)
    for (const [index, [form, confirmation]] of Object.entries({ ...recipientForms, ...staffForms }).entries())
      await test.step(form, () => pressRepeatedly(world, session, pressFor(index), confirmation))
  })
}
