import { connect } from 'node:net'

/**
 * A separate process with many clients that download one file, each at a few bytes per second: `slow-readers.ts <url> <path>
 * <authorization> <readers> <bytes per second> <seconds>`. Prints `all reading` once every client has its first bytes, and the results as
 * JSON at the end.
 */
const [url = '', path = '', authorization = '', readers = '', rate = '', seconds = ''] = process.argv.slice(2)
const { hostname, port } = new URL(url)

interface Reader {
  status: number
  promised: number
  received: number
  isEnded: boolean
}

let started = 0
const all = Array.from({ length: Number(readers) }, (): Reader => {
  const reader: Reader = { status: 0, promised: 0, received: 0, isEnded: false }
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`)
  socket.on('error', () => undefined).on('close', () => (reader.isEnded = true))
  socket.once('readable', () => {
    const first: Buffer = socket.read()
    const end = first.indexOf('\r\n\r\n') + 4
    const head = first.subarray(0, end).toString()
    reader.status = Number(head.split(' ')[1])
    reader.promised = Number(/content-length: (\d+)/i.exec(head)?.[1])
    reader.received = first.length - end
    if (++started === Number(readers)) process.stdout.write('all reading\n')
  })
  // Reads less than what has arrived, so that backpressure reaches the sender.
  setInterval(
    () => (reader.received += socket.read(Math.min(socket.readableLength, Number(rate)) || undefined)?.length ?? 0),
    1000,
  )
  return reader
})

setTimeout(() => {
  process.stdout.write(`${JSON.stringify(all)}\n`, () => process.exit(0))
}, Number(seconds) * 1000)
