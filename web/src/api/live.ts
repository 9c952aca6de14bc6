import { api, type ChangeTopic } from '@neptune/contract'
import type { Caller } from './caller.ts'
import { toApiUrl } from './client.ts'

/**
 * `on`: changes are reported, over this tab's own connection if `isOwn`. `off`: they are not, so the page must poll. `missed`: the connection
 * was interrupted for a moment, so changes may have been missed.
 */
export type LiveMessage =
  | { kind: 'on'; isOwn: boolean }
  | { kind: 'off' }
  | { kind: 'missed' }
  | { kind: 'change'; topics: ChangeTopic[] }

/** The server sends something every 15 seconds. */
const idleTimeoutMs = 40_000
const backoffMs = { first: 1_000, max: 60_000 }

/**
 * Reports changes, over one connection for all tabs of the same reader: browsers open only six connections to a server. The tab that
 * gets the lock holds the connection, and notifies the others. Without locks, as on pages without HTTPS, nothing is reported.
 */
export function listen(reader: string, caller: Caller, report: (message: LiveMessage) => void): () => void {
  if (!('locks' in navigator)) return () => undefined
  const name = `neptune live ${reader}`
  const channel = new BroadcastChannel(name)
  const stopped = new AbortController()
  let isLeader = false
  let isOn = false
  let idleTimer: ReturnType<typeof setTimeout> | undefined
  const reportIfNew = (message: LiveMessage) => {
    const isRepeated = (message.kind === 'on' && isOn) || (message.kind === 'off' && !isOn)
    if (message.kind === 'on' || message.kind === 'off') isOn = message.kind === 'on'
    if (!isRepeated) report(message)
  }
  /** The tab with the connection forwards everything that the server sends. If it forwards nothing for a while, it is frozen. */
  channel.onmessage = ({ data }: MessageEvent<LiveMessage>) => {
    if (isLeader) return
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => reportIfNew({ kind: 'off' }), idleTimeoutMs)
    reportIfNew(data.kind === 'on' ? { kind: 'on', isOwn: false } : data)
  }
  const broadcast = (message: LiveMessage) => {
    channel.postMessage(message)
    reportIfNew(message)
  }
  const lead = () => {
    isLeader = true
    clearTimeout(idleTimer)
    return keepConnected(caller, broadcast, stopped.signal)
  }
  navigator.locks.request(name, { signal: stopped.signal }, lead).catch(() => undefined) // aborted
  return () => {
    stopped.abort()
    clearTimeout(idleTimer)
    channel.close()
  }
}

/** Reconnects whenever the connection ends. Reports `off` only if reconnecting fails. */
async function keepConnected(caller: Caller, broadcast: (message: LiveMessage) => void, signal: AbortSignal): Promise<void> {
  let delayMs = backoffMs.first
  let wasOpen = false
  while (!signal.aborted) {
    const wasInterrupted = wasOpen
    const handleOpen = () => {
      if (!wasOpen && wasInterrupted) broadcast({ kind: 'missed' })
      wasOpen = true
    }
    wasOpen = false
    await readOnce(caller, broadcast, handleOpen, signal)
    if (signal.aborted) return
    if (!wasOpen) broadcast({ kind: 'off' })
    delayMs = wasOpen ? backoffMs.first : Math.min(delayMs * 2, backoffMs.max)
    await wait(delayMs * (0.5 + Math.random()), signal)
  }
}

/** Waits for a time, or until the signal is aborted. */
const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })

/** Connects, and reads until the connection ends. */
async function readOnce(
  caller: Caller,
  broadcast: (message: LiveMessage) => void,
  onOpen: () => void,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController()
  let timer = setTimeout(() => ended.abort(), idleTimeoutMs)
  try {
    const response = await fetch(toApiUrl(api.live.read.path), {
      headers: { authorization: `Bearer ${caller.getToken() ?? ''}` },
      signal: AbortSignal.any([signal, ended.signal]),
    })
    if (!response.ok || !response.body) return
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => ended.abort(), idleTimeoutMs)
      const events = (text + part.value).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? []
        if (name === 'open') onOpen()
        broadcast(name === 'change' ? { kind: 'change', topics: JSON.parse(data) } : { kind: 'on', isOwn: true })
      }
    }
  } catch {
    // The connection broke, or nothing came for too long.
  } finally {
    clearTimeout(timer)
    ended.abort() // also closes the connection of a reply that was not read
  }
}
