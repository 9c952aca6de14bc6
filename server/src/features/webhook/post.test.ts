import { describe, expect, it } from 'vitest'
import { post, type ResolveHost } from './post.ts'
import { respondWith, startReceiver, switchProtocols } from './testing.ts'

const request = { headers: {}, body: '{}', allowsPrivate: false, signal: new AbortController().signal }
const resolvingTo =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('post', () => {
  it.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['10.0.0.7'],
    ['169.254.169.254'],
    ['0.0.0.0'],
    ['fd00:ec2::254'],
    ['1.1.1.1', '192.168.0.1'],
  ])('rejects a host name that resolves to %s', async (...addresses) => {
    const sent = post({ ...request, url: 'https://hooks.example/' }, resolvingTo(...addresses))
    await expect(sent).rejects.toThrow('The host name points to a private address.')
  })

  it('rejects an unknown host name', async () => {
    await expect(post({ ...request, url: 'https://hooks.example/' }, resolvingTo())).rejects.toThrow(
      'The host name was not found.',
    )
    await expect(post({ ...request, url: 'https://localhost/' })).rejects.toThrow()
  })

  it('resolves the name once, and connects to the address it checked', async () => {
    await using receiver = await startReceiver()
    const { port } = new URL(receiver.url)
    let lookups = 0
    const resolve: ResolveHost = async () => {
      lookups += 1
      return [{ address: lookups === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }]
    }
    expect(await post({ ...request, allowsPrivate: true, url: `http://hooks.example:${port}/` }, resolve)).toBe(204)
    expect(lookups).toBe(1)
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example:${port}`)
  })

  it('returns the status, and closes the connection after 64 KiB of the body', async () => {
    await using receiver = await startReceiver()
    const closed = Promise.withResolvers<void>()
    receiver.respond = (response) => {
      response.on('close', closed.resolve)
      response.writeHead(200).write(Buffer.alloc(64 * 1024 + 1)) // and never ends
    }
    expect(await post({ ...request, allowsPrivate: true, url: receiver.url })).toBe(200)
    await closed.promise
  })

  it('returns the status of a response whose body breaks off', async () => {
    await using receiver = await startReceiver()
    receiver.respond = (response) =>
      void response.writeHead(200, { 'content-length': 100 }).write('and then nothing', () => response.destroy())
    expect(await post({ ...request, allowsPrivate: true, url: receiver.url })).toBe(200)
  })

  it('fails when its signal is aborted before a response', async () => {
    await using receiver = await startReceiver()
    const deadline = new AbortController()
    receiver.respond = () => deadline.abort()
    const sent = post({ ...request, allowsPrivate: true, url: receiver.url, signal: deadline.signal })
    await expect(sent).rejects.toThrow('The receiver did not respond in time.')
  })

  it('returns 101 and closes the connection when the receiver switches protocols', async () => {
    await using receiver = await startReceiver()
    receiver.respond = switchProtocols
    expect(await post({ ...request, allowsPrivate: true, url: receiver.url })).toBe(101)
  })

  it('does not follow redirects', async () => {
    await using receiver = await startReceiver()
    receiver.respond = respondWith(307, { location: receiver.url })
    expect(await post({ ...request, allowsPrivate: true, url: receiver.url })).toBe(307)
    expect(receiver.received).toHaveLength(1)
  })
})
