import { connect } from 'node:net'

/**
 * Runs as a separate process with many clients that download one file, each at a few bytes per second: `slow-readers.ts <url> <path>
 * <authorization> <readers> <bytes per second> <seconds>`. Prints `all reading` once every client has its first bytes, and the results as
 * JSON at the end.
 */
const [url = '', path = '', authorization = '', readers = '', bytesPerSecond = '', seconds = ''] = process.argv.slice(2)
const { hostname, port } = new URL(url)

interface Reader {
  status: number
  contentLength: number
  received: number
  isEnded: boolean
}

let startedCount = 0
const allReaders = Array.from({ length: Number(readers) }, (): Reader => {
  const reader: Reader = { status: 0, contentLength: 0, received: 0, isEnded: false }
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`)
  socket.on('error', () => undefined).on('close', () => (reader.isEnded = true))
  socket.once('readable', () => {
    const firstChunk: Buffer = socket.read()
    const end = firstChunk.indexOf('\r\n\r\n') + 4
    const head = firstChunk.subarray(0, end).toString()
    reader.status = Number(head.split(' ')[1])
    reader.contentLength = Number(/content-length: (\d+)/i.exec(head)?.[1])
    reader.received = firstChunk.length - end
    if (++startedCount === Number(readers)) process.stdout.write('all reading\n')
  })
  // Reads less than what has arrived, so that backpressure reaches the sender.
  setInterval(
    () => (reader.received += socket.read(Math.min(socket.readableLength, Number(bytesPerSecond)) || undefined)?.length ?? 0),
    1000,
  )
  return reader
})

setTimeout(() => {
  process.stdout.write(`${JSON.stringify(allReaders)}\n`, () => process.exit(0))
}, Number(seconds) * 1000)
