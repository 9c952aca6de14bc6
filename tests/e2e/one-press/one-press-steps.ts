import type { CDPSession, Locator, Page } from '@playwright/test'
import { type asAdmin, expect } from '../fixtures.ts'

export interface World {
  page: Page
  baseURL: string | undefined
  /** The API, as the admin. */
  call: ReturnType<typeof asAdmin>
  /** The server's folder, with the outbox and all other data. */
  folder: string
  /** Ids of the records created for the test, by name: a directory's or a user's id, a link's key. */
  ids: Record<string, string>
}

/** Steps by the name of the dialog or form they confirm, in execution order. */
export type Confirmations = Record<string, Confirmation>

interface Confirmation {
  /** The page it is on; without one it continues where the previous step ended. */
  path?: (world: World) => string
  /** Opens the dialog or form, fills it in and returns the button to press. */
  open: (world: World) => Promise<Locator>
  /** The requests that one press sends, with `{id}` for ids. Read requests are not counted. */
  sends: string[]
  /** Checks the result of one press. */
  expect: (world: World) => Promise<unknown>
}

export const dialogOf = (page: Page) => page.getByRole('dialog')
export const button = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true })
export const expectClosed = ({ page }: World) => expect(dialogOf(page)).toHaveCount(0)
export const press = ({ page }: World, name: string) => page.getByRole('button', { name, exact: true }).first().click()

/** Ways to press a button several times before the page can react. */
export const presses = {
  'a double click': (session, at) => clicks(session, at, 2),
  'a triple click': (session, at) => clicks(session, at, 3),
  'Enter three times': (session) => enters(session, 3),
} as const satisfies Record<string, (session: CDPSession, at: Point) => Promise<unknown>[]>

interface Point {
  x: number
  y: number
}

/** Sends raw input without waiting for it, so that it queues up in the browser. */
function clicks(session: CDPSession, at: Point, count: number) {
  return Array.from({ length: count }, (_, index) =>
    (['mousePressed', 'mouseReleased'] as const).map((type) =>
      session.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: index + 1 }),
    ),
  ).flat()
}

const enterKey = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 }

function enters(session: CDPSession, count: number) {
  return Array.from({ length: count }, () => [
    session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: '\r', ...enterKey }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enterKey }),
  ]).flat()
}

/** Long enough for all presses to be queued while the page cannot handle any. */
const heldMs = 150

/** Presses a button repeatedly on a slow machine. Checks what was sent, and that nothing else was pressed. */
export async function pressRepeatedly(
  world: World,
  session: CDPSession,
  repeat: (typeof presses)[keyof typeof presses],
  confirmation: Confirmation,
) {
  const { page } = world
  const path = confirmation.path?.(world)
  if (path !== undefined) await page.goto(path)
  const button = await confirmation.open(world)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0) // content that loads late moves the button
  await button.click({ trial: true }) // waits until it stops moving
  const box = await button.boundingBox()
  if (!box) throw new Error('The button is not visible.')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at })
  if (await button.evaluate((element) => element.matches('button'))) await button.focus()
  await page.keyboard.press('Shift') // otherwise the browser could treat the first press as a repeat of the one that opened the dialog
  const sent = watchRequests(page)
  await watchStrayPresses(page)

  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  const held = page.evaluate((forMs) => {
    const until = performance.now() + forMs
    while (performance.now() < until);
  }, heldMs)
  await Promise.all([held, ...repeat(session, at)])
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const strays = await strayPresses(page)

  await confirmation.expect(world)
  await page.evaluate(() => fetch('/healthz')) // all requests of the presses were sent before this one
  expect(sent.stop()).toEqual(confirmation.sends)
  expect(strays).toEqual([])
}

/** Records requests that change data, for example `POST /v1/link/{id}`. */
function watchRequests(page: Page) {
  const sent: string[] = []
  const record = (request: { method: () => string; url: () => string }) => {
    const path = new URL(request.url()).pathname.replaceAll(/\/[\w-]{22}(?=\/|$)/g, '/{id}')
    const call = `${request.method()} ${path}`
    if (!/^(GET|HEAD) |^POST \/v1\/(file\/clash|identity\/session)$/.test(call)) sent.push(call)
  }
  page.on('request', record)
  return {
    stop: () => {
      page.off('request', record)
      return sent
    },
  }
}

declare global {
  interface Window {
    strayPresses?: string[]
  }
}

/** Records each press that reaches an element outside the dialog it was meant for. */
const watchStrayPresses = (page: Page) =>
  page.evaluate(() => {
    const dialog = document.querySelector('dialog:modal')
    const strays: string[] = []
    window.strayPresses = strays
    const record = ({ type, target }: Event) => {
      if (dialog && target instanceof Element && !dialog.contains(target)) strays.push(`${type} ${target.outerHTML.slice(0, 80)}`)
    }
    for (const type of ['mousedown', 'click', 'keydown']) document.addEventListener(type, record, true)
  })

const strayPresses = (page: Page) => page.evaluate(() => window.strayPresses ?? [])
