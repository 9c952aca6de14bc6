import type { CDPSession, Locator, Page } from '@playwright/test'
import { type asAdmin, expect } from '../fixtures.ts'

/** The page, the API and the records that every step uses. */
export interface PressContext {
  page: Page
  baseURL: string | undefined
  /** Calls the API as the admin. */
  call: ReturnType<typeof asAdmin>
  /** The server's folder, with the outbox and all other data. */
  folder: string
  /** What was created for the test, by name: the id of a company, directory or user, or the key or code of a link. */
  ids: Record<string, string>
}

/** Steps in the order in which they run, by the name of the dialog or form that they confirm. */
export type Confirmations = Record<string, Confirmation>

/** Confirms one dialog or form. */
interface Confirmation {
  /** Returns the page to open first. Without it, the step continues where the previous one ended. */
  path?: (context: PressContext) => string
  /** Opens the dialog or form, fills it in and returns the button to press. */
  open: (context: PressContext) => Promise<Locator>
  /** The requests that one press sends, with `{id}` for ids. Read requests are not counted. */
  sends: string[]
  /** Checks the result of one press. */
  expect: (context: PressContext) => Promise<unknown>
}

export const currentDialog = (page: Page) => page.getByRole('dialog')
export const dialogButton = (page: Page, name: string) => currentDialog(page).getByRole('button', { name, exact: true })
export const expectDialogClosed = ({ page }: PressContext) => expect(currentDialog(page)).toHaveCount(0)
export const press = ({ page }: PressContext, name: string) => page.getByRole('button', { name, exact: true }).first().click()

/** Ways to press a button several times before the page can react. */
export const pressMethods = {
  'a double click': (session, point) => sendClicks(session, point, 2),
  'a triple click': (session, point) => sendClicks(session, point, 3),
  'Enter three times': (session) => sendEnters(session, 3),
} as const satisfies Record<string, (session: CDPSession, point: Point) => Promise<unknown>[]>

interface Point {
  x: number
  y: number
}

/** Sends raw input without waiting for it, so that it queues up in the browser. */
function sendClicks(session: CDPSession, point: Point, count: number) {
  return Array.from({ length: count }, (_, index) =>
    (['mousePressed', 'mouseReleased'] as const).map((type) =>
      session.send('Input.dispatchMouseEvent', { type, ...point, button: 'left', clickCount: index + 1 }),
    ),
  ).flat()
}

const enterKey = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 }

function sendEnters(session: CDPSession, count: number) {
  return Array.from({ length: count }, () => [
    session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: '\r', ...enterKey }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enterKey }),
  ]).flat()
}

/** How long the page is blocked. All presses must be queued in this time, before the page can handle any of them. */
const blockedMs = 150

/** Presses a button repeatedly on a slow machine. Checks that it sends the expected requests and that no press lands outside its dialog. */
export async function pressRepeatedly(
  context: PressContext,
  session: CDPSession,
  pressMethod: (typeof pressMethods)[keyof typeof pressMethods],
  confirmation: Confirmation,
) {
  const { page } = context
  const path = confirmation.path?.(context)
  if (path !== undefined) await page.goto(path)
  const button = await confirmation.open(context)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0) // content that loads late moves the button
  await button.click({ trial: true }) // waits until it stops moving
  const box = await button.boundingBox()
  if (!box) throw new Error('The button is not visible.')
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...point })
  if (await button.evaluate((element) => element.matches('button'))) await button.focus()
  await page.keyboard.press('Shift') // otherwise the browser could treat the first press as a repeat of the one that opened the dialog
  const sent = watchRequests(page)
  await watchStrayPresses(page)

  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  const blocked = page.evaluate((forMs) => {
    const until = performance.now() + forMs
    while (performance.now() < until);
  }, blockedMs)
  await Promise.all([blocked, ...pressMethod(session, point)])
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const strays = await readStrayPresses(page)

  await confirmation.expect(context)
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
    if (!/^(GET|HEAD) |^POST \/v1\/(file\/clash|link\/affected|identity\/session)$/.test(call)) sent.push(call)
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

const readStrayPresses = (page: Page) => page.evaluate(() => window.strayPresses ?? [])
