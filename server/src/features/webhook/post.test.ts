import { describe, expect, it } from 'vitest'
import { post, type ResolveHost } from './post.ts'
import { answer, startReceiver, switchProtocols } from './testing.ts'

const letter = { headers: {}, body: '{}', isPrivate: false, signal: new AbortController().signal }
const leadingTo =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('a letter', () => {
  it.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['10.0.0.7'],
    ['169.254.169.254'],
    ['0.0.0.0'],
    ['fd00:ec2::254'],
    ['1.1.1.1', '192.168.0.1'],
  ])('goes nowhere by a name that leads to %s', async (...addresses) => {
    const sent = post({ ...letter, url: 'https://hooks.example/' }, leadingTo(...addresses))
    await expect(sent).rejects.toThrow('Its name leads to this machine or network, not to the internet.')
  })

  it('goes nowhere by a name that nobody knows', async () => {
    await expect(post({ ...letter, url: 'https://hooks.example/' }, leadingTo())).rejects.toThrow('Its name is not known.')
    await expect(post({ ...letter, url: 'https://localhost/' })).rejects.toThrow()
  })

  it('goes to the very address that was judged, and the name is asked for once', async () => {
    await using receiver = await startReceiver()
    const { port } = new URL(receiver.url)
    let asked = 0
    const find: ResolveHost = async () => {
      asked += 1
      return [{ address: asked === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }]
    }
    expect(await post({ ...letter, isPrivate: true, url: `http://hooks.example:${port}/` }, find)).toBe(204)
    expect(asked).toBe(1)
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example:${port}`)
  })

  it('takes the status for the answer, and reads no more than 64 KiB of what follows', async () => {
    await using receiver = await startReceiver()
    let written = 0
    receiver.answers = (response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) written += 65_536
      }
      response.on('drain', more)
      more()
    }
    expect(await post({ ...letter, isPrivate: true, url: receiver.url })).toBe(200)
    expect(written).toBeLessThan(64 * 2 ** 20)
    receiver.answers = (response) =>
      void response.writeHead(200, { 'content-length': 100 }).write('and then nothing', () => response.destroy())
    expect(await post({ ...letter, isPrivate: true, url: receiver.url })).toBe(200)
  })

  it('waits as long as it is told for an answer', async () => {
    await using receiver = await startReceiver()
    const deadline = new AbortController()
    receiver.answers = () => deadline.abort()
    const sent = post({ ...letter, isPrivate: true, url: receiver.url, signal: deadline.signal })
    await expect(sent).rejects.toThrow('There was no answer in time.')
  })

  it('whose answer is another protocol is answered, and the line closed', async () => {
    await using receiver = await startReceiver()
    receiver.answers = switchProtocols
    expect(await post({ ...letter, isPrivate: true, url: receiver.url })).toBe(101)
  })

  it('that is redirected stays where it is', async () => {
    await using receiver = await startReceiver()
    receiver.answers = answer(307, { location: receiver.url })
    expect(await post({ ...letter, isPrivate: true, url: receiver.url })).toBe(307)
    expect(receiver.received).toHaveLength(1)
  })
})
