import { readdir } from 'node:fs/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { createSingleValue, type Metric } from './metric.ts'

/** Returns a function that reports the memory, CPU time and file descriptors of this process. */
export function watchProcess(app: FastifyInstance) {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => delay.disable())

  return async (): Promise<Metric[]> => {
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const p99 = delay.percentile(99) / 1e9
    delay.reset()
    const fds = await readdir('/proc/self/fd').catch(() => undefined) // only Linux has this folder
    return [
      createSingleValue('process_resident_memory_bytes', 'gauge', 'Resident memory.', rss),
      createSingleValue('nodejs_heap_size_used_bytes', 'gauge', 'JavaScript heap in use.', heapUsed),
      createSingleValue('nodejs_heap_size_total_bytes', 'gauge', 'JavaScript heap size.', heapTotal),
      createSingleValue('nodejs_external_memory_bytes', 'gauge', 'Memory of buffers and native code.', external),
      createSingleValue('process_cpu_seconds_total', 'counter', 'CPU time used.', (user + system) / 1e6),
      createSingleValue(
        'process_start_time_seconds',
        'gauge',
        'Start time of the process, in Unix time.',
        performance.timeOrigin / 1000,
      ),
      createSingleValue('nodejs_eventloop_lag_p99_seconds', 'gauge', 'Event loop delay since the last scrape.', p99 || 0),
      // Without the descriptor that `readdir` itself opens.
      ...(fds ? [createSingleValue('process_open_fds', 'gauge', 'Open file descriptors.', fds.length - 1)] : []),
    ]
  }
}
