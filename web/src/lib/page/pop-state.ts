let handle: ((event: PopStateEvent) => void) | undefined

// Added before the router's own listener, which replaces the page immediately. Browsers call the listeners of the window in this order.
window.addEventListener('popstate', (event) => handle?.(event))

/** Sets what to do first when the user goes back or forward. */
export function setPopStateHandler(handler: typeof handle): void {
  handle = handler
}
