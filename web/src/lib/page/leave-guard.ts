import { createElement, type ReactNode, use, useMemo } from 'react'
import { UNSAFE_NavigationContext as NavigationContext, type Navigator } from 'react-router'
import { setPopStateHandler } from './pop-state.ts'

/** Asks the user whether to leave, and calls `leave` if they agree. */
type Ask = (leave: () => void) => void

/** Set while leaving the page would lose changes. */
let ask: Ask | undefined

/** Leaves at once, or asks first if changes would be lost. */
export const askBeforeLeaving = (leave: () => void): void => (ask ? ask(leave) : leave())

/**
 * Guards the page until the returned function is called: links, Back and Forward ask first. The browser asks before it closes or reloads
 * the page.
 */
export function guardPage(askUser: Ask): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  const stop = () => {
    listeners.abort()
    if (ask === guard) ask = undefined
  }
  const guard: Ask = (leave) =>
    askUser(() => {
      stop()
      leave()
    })
  ask = guard
  window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
  guardHistory(guard, signal)
  return stop
}

/** Undoes Back and Forward, then asks. The router numbers its history entries, so the distance is known. */
function guardHistory(guard: Ask, signal: AbortSignal): void {
  const start = getIndex(history.state)
  let isReturning = false
  const onPopState = (event: PopStateEvent) => {
    const target = getIndex(event.state)
    if (start === undefined || target === undefined) return
    event.stopImmediatePropagation()
    if (isReturning) {
      isReturning = false
      return
    }
    const distance = target - start
    if (distance === 0) return
    isReturning = true
    history.go(-distance)
    guard(() => history.go(distance))
  }
  setPopStateHandler(onPopState)
  signal.addEventListener('abort', () => setPopStateHandler(undefined))
}

const getIndex = (state: unknown): number | undefined => {
  const index: unknown = (state as { idx?: unknown } | null)?.idx
  return typeof index === 'number' ? index : undefined
}

/** Lets a guarded page ask before any navigation inside it. The router itself can do this only with its much larger data routers. */
export function GuardedNavigation({ children }: { children: ReactNode }) {
  const context = use(NavigationContext)
  const guarded = useMemo(() => ({ ...context, navigator: guardNavigator(context.navigator) }), [context])
  return createElement(NavigationContext, { value: guarded }, children)
}

/** Asks before navigating to another page. Changing only the query string needs no confirmation. */
function guardNavigator(navigator: Navigator): Navigator {
  const staysOnPage = (to: Parameters<Navigator['push']>[0]) =>
    new URL(navigator.createHref(to), location.href).pathname === location.pathname
  return {
    ...navigator,
    push: (to, ...rest) => (staysOnPage(to) ? navigator.push(to, ...rest) : askBeforeLeaving(() => navigator.push(to, ...rest))),
    replace: (to, ...rest) =>
      staysOnPage(to) ? navigator.replace(to, ...rest) : askBeforeLeaving(() => navigator.replace(to, ...rest)),
  }
}
