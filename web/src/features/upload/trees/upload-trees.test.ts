import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPickedFile, createRequest, failNetwork, getStates, hang, settle, setUp, target } from '../testing.ts'
import { describeGroup, describeJob, summarizeTotals } from '../upload-texts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const listTargets = (uploads: ReturnType<typeof setUp>['uploads']) =>
  [...uploads.values()].map(({ directory, name }) => `${directory}/${name}`)

/** Returns a file as an input for folders does. */
function createFolderFile(path: string, text = 'abcdef', lastModified = 1) {
  const file = new File([text], path.slice(path.lastIndexOf('/') + 1), { lastModified })
  return Object.defineProperty(file, 'webkitRelativePath', { value: path })
}

/** Imitates the handle of a folder that has one file in one folder. */
function createHandle(file: File) {
  const fileHandle = { getFile: async () => file }
  const folder = { getFileHandle: async () => fileHandle }
  return { kind: 'directory', name: 'a', getDirectoryHandle: async () => folder, queryPermission: async () => 'granted' }
}

describe('uploads of folders', () => {
  it('creates the folders, and sends each file to its folder', async () => {
    const { manager, uploads, folders, storedTrees } = setUp()
    const files = ['x.txt', 'a/x.txt', 'a/b/x.txt', 'a/b/y.txt', 'c/x.txt'].map((path) => createPickedFile(path))
    manager.add({ ...createRequest(...files), emptyFolders: ['a/empty'] }, target)
    await settle()
    expect(listTargets(uploads)).toEqual(['d/x.txt', 'd:a/x.txt', 'd:a/b/x.txt', 'd:a/b/y.txt', 'd:c/x.txt'])
    expect(folders.toSorted()).toEqual(['a', 'a/b', 'a/empty', 'c'])
    expect(manager.read()).toMatchObject({ announcement: 'Uploads: 5 done.', totals: { total: 5, done: 5, left: 0 } })
    expect(storedTrees.size).toBe(0)
  })

  it('creates a folder without files', async () => {
    const { manager, folders } = setUp()
    manager.add({ files: [], emptyFolders: ['empty'] }, target)
    await settle()
    const { totals, jobs } = manager.read()
    expect([folders, summarizeTotals(totals), describeGroup({ jobs, totals })]).toEqual([
      ['empty'],
      'Folders created',
      'Folder created',
    ])
  })

  it('fails only the files of a folder that the server rejects, and creates the folder on retry', async () => {
    const { manager, uploads, refusedFolders } = setUp()
    refusedFolders.push('a/bad')
    manager.add(createRequest(...['a/bad/1', 'a/bad/2', 'a/good/3'].map((path) => createPickedFile(path))), target)
    await settle()
    expect(getStates(manager)).toEqual(['failed', 'failed', 'done'])
    const [job] = manager.read().jobs
    expect(job && describeJob(job)).toContain('No a/bad.')
    refusedFolders.length = 0
    manager.retry()
    await settle()
    expect(getStates(manager)).toEqual(['done', 'done', 'done'])
    expect(listTargets(uploads).toSorted()).toEqual(['d:a/bad/1', 'd:a/bad/2', 'd:a/good/3'])
  })

  it('waits for the network to create folders', async () => {
    const { manager, faults, uploads } = setUp()
    faults.push(failNetwork)
    manager.add(createRequest(createPickedFile('a/x.txt')), target)
    await settle()
    expect(getStates(manager)).toEqual(['waiting'])
    manager.retryWaiting()
    await settle()
    expect(listTargets(uploads)).toEqual(['d:a/x.txt'])
  })

  it('continues after a reload in the same folders, without creating them again', async () => {
    const { manager, open, faults, folders, uploads } = setUp()
    faults.push(() => undefined, hang) // the folders are created, but nothing else
    const handle = createHandle(createPickedFile('x.txt').file)
    manager.add(createRequest(createPickedFile('a/b/x.txt', 'abcdef', handle as unknown as FileSystemHandle)), target)
    await settle()
    manager.setUser(undefined)
    folders.length = 0
    const reopened = open()
    await settle()
    expect(getStates(reopened)).toEqual(['done'])
    expect([listTargets(uploads), folders]).toEqual([['d:a/b/x.txt'], []])
  })

  it('asks for the folder after a reload without a handle, and matches files by path and size', async () => {
    const { manager, open, faults, uploads } = setUp()
    faults.push(() => undefined, hang, hang, hang)
    manager.add(createRequest(...['a/x.txt', 'a/b/x.txt', 'a/c/x.txt'].map((path) => createPickedFile(path))), target)
    await settle()
    manager.setUser(undefined)
    const reopened = open()
    await settle()
    expect(getStates(reopened)).toEqual(['fileless', 'fileless', 'fileless'])
    expect(describeGroup(reopened.read())).toBe('0 of 3 · Choose the folder again to continue.')
    await reopened.supplyFolder([createFolderFile('a/x.txt', 'abcdef', 2), createFolderFile('a/b/x.txt', 'abcdefgh')])
    await settle()
    expect(getStates(reopened)).toEqual(['done', 'fileless', 'fileless'])
    const [, , missing] = reopened.read().jobs
    expect(describeGroup(reopened.read())).toMatch('That file is 8 B, not 6 B.')
    expect(missing && describeJob(missing)).toBe('The folder you chose doesn’t contain this file.')
    await reopened.supplyFolder([createFolderFile('a/b/x.txt'), createFolderFile('a/c/x.txt')])
    await settle()
    expect(getStates(reopened)).toEqual(['done', 'done', 'done'])
    expect(listTargets(uploads).toSorted()).toEqual(['d:a/b/x.txt', 'd:a/c/x.txt', 'd:a/x.txt'])
  })

  it('uploads 10,000 files in 1,200 folders', async () => {
    const { manager, uploads } = setUp()
    const files = Array.from({ length: 10_000 }, (_, i) => createPickedFile(`a/${i % 1200}/${i}.txt`, ''))
    manager.add(createRequest(...files), target)
    await vi.advanceTimersByTimeAsync(20_000)
    expect([uploads.size, summarizeTotals(manager.read().totals)]).toEqual([10_000, '10,000 uploaded'])
  })
})
