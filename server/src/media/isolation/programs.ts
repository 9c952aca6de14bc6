import { constants } from 'node:fs'
import { access, realpath } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { canIsolate } from './spawn-isolated.ts'

/** A program that Neptune uses if it is installed on the system. */
export interface Program {
  /** The path without symbolic links. */
  path: string
  /** The top-level folder that contains it, such as /usr. */
  tree: string
}

/** `not_isolated`: the system doesn't let Neptune isolate programs, so Neptune doesn't run it. */
type Availability = Program | 'missing' | 'not_isolated'

interface Programs {
  /** LibreOffice. */
  office: Availability
  /** ffmpeg. */
  video: Availability
}

const found = new Map<string, Promise<Programs>>()

/** Finds the programs in a search path with the format of PATH. Caches the result. */
export function findPrograms(searchPath: string): Promise<Programs> {
  const known = found.get(searchPath) ?? search(searchPath)
  found.set(searchPath, known)
  return known
}

const search = async (searchPath: string): Promise<Programs> => ({
  office: await find('soffice', searchPath),
  video: await find('ffmpeg', searchPath),
})

async function find(name: string, searchPath: string): Promise<Availability> {
  if (process.platform !== 'linux') return 'missing'
  for (const folder of searchPath.split(delimiter)) {
    if (!folder.startsWith('/')) continue
    const path = await findExecutable(join(folder, name))
    if (path === undefined) continue
    return (await canIsolate()) ? { path, tree: `/${path.split('/')[1]}` } : 'not_isolated'
  }
  return 'missing'
}

async function findExecutable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK)
    return await realpath(path)
  } catch {
    return undefined
  }
}
