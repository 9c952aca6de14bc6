import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { one, type Reading } from './readings.ts'

/** What this process uses: memory, processor, descriptors. */
export function watchMachine(app: FastifyInstance) {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => delay.disable())

  return async (): Promise<Reading[]> => {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const p99 = delay.percentile(99) / 1e9
    delay.reset()
    const open = await readdir('/proc/self/fd').catch(() => undefined) // where there is no such folder, nothing is said
    return [
      one('process_resident_memory_bytes', 'gauge', 'Memory in use.', rss),
      one('nodejs_heap_size_used_bytes', 'gauge', 'Of the JavaScript heap, in use.', heapUsed),
      one('nodejs_heap_size_total_bytes', 'gauge', 'The JavaScript heap.', heapTotal),
      one('nodejs_external_memory_bytes', 'gauge', 'Memory of buffers and native code.', external),
      one('process_cpu_seconds_total', 'counter', 'Processor time used.', (user + system) / 1e6),
      one('process_start_time_seconds', 'gauge', 'When it started, in Unix time.', performance.timeOrigin / 1000),
      one('nodejs_eventloop_lag_p99_seconds', 'gauge', 'How late the event loop was, since this was last asked.', p99 || 0),
      ...(open ? [one('process_open_fds', 'gauge', 'Open file descriptors.', open.length - 1)] : []), // but for the one that counts them
    ]
  }
}
