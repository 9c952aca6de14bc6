/** Rows that become due and are sent by several processes: emails, webhook deliveries. */
export interface DeliveryQueue<Item> {
  /**
   * Claims due items for this process, as many as may be sent in addition to the running ones. No other process, on any node, finds them
   * due until the claim expires.
   */
  claim(running: readonly Item[]): Promise<Item[]>
  /** Attempts to send one item and stores the outcome: sent, failed, or when to retry. `stopped` is aborted on shutdown. */
  deliver(item: Item, stopped: AbortSignal): Promise<void>
  onClaimError(error: unknown): void
  /** The item stays claimed, so it becomes due again when the claim expires. */
  onDeliveryError(error: unknown): void
}

const pollIntervalMs = 1000

/** Sends due items until it is stopped. Polls every second, and whenever an item has ended. */
export function startDelivery<Item>(queue: DeliveryQueue<Item>): { stop: () => Promise<void> } {
  const running = new Map<Item, Promise<void>>()
  const stopped = new AbortController()
  let polling = Promise.resolve()

  async function poll() {
    if (stopped.signal.aborted) return
    for (const item of await queue.claim([...running.keys()])) {
      const task = queue
        .deliver(item, stopped.signal)
        .catch(queue.onDeliveryError)
        .finally(() => {
          running.delete(item)
          pollAgain()
        })
      running.set(item, task)
    }
  }

  const pollAgain = () => {
    polling = polling.then(poll).catch(queue.onClaimError)
  }

  const timer = setInterval(pollAgain, pollIntervalMs)
  return {
    async stop() {
      clearInterval(timer)
      stopped.abort()
      await polling
      await Promise.all(running.values())
    },
  }
}

/** Attempts to send all items that are due, and waits for the outcome. */
export async function deliverDue<Item>({ claim, deliver }: DeliveryQueue<Item>): Promise<void> {
  for (;;) {
    const items = await claim([])
    if (items.length === 0) return
    await Promise.all(items.map((item) => deliver(item, new AbortController().signal)))
  }
}
