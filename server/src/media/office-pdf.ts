import { createReadStream } from 'node:fs'
import { mkdir, open, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { waitForExitCode } from './isolation/exit-code.ts'
import type { Program } from './isolation/programs.ts'
import { createScratchFolder } from './isolation/scratch-folder.ts'
import { spawnIsolated } from './isolation/spawn-isolated.ts'

const timeoutMs = 120_000

/**
 * Keeps LibreOffice from running macros and following links to other documents. In isolation they couldn't reach anything, but a macro could
 * waste time.
 */
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${[
  ['Common/Security/Scripting', 'DisableMacrosExecution', 'true'],
  ['Common/Security/Scripting', 'MacroSecurityLevel', '3'],
  ['Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'],
  ['Writer/Content/Update', 'Link', '2'],
  ['Calc/Content/Update', 'Link', '2'],
]
  .map(
    ([path, name, value]) =>
      `<item oor:path="/org.openoffice.Office.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join('\n')}
</oor:items>
`

interface Options {
  /** LibreOffice. */
  program: Program
  /** The extension of the format, such as docx. */
  extension: string
  signal?: AbortSignal | undefined
}

/** A PDF in a folder that is removed when it is disposed of. */
export interface ConvertedPdf extends AsyncDisposable {
  size: number
  read: () => Readable
}

/**
 * Converts an Office document to PDF with LibreOffice, isolated and in a profile of its own. Returns undefined if it fails or is killed,
 * including by the signal. Throws if no process can be started, or if the document cannot be read.
 */
export async function convertToPdf(
  document: Readable,
  { program, extension, signal }: Options,
): Promise<ConvertedPdf | undefined> {
  const scratch = await createScratchFolder()
  try {
    const folder = scratch.path
    await pipeline(document, (await open(join(folder, `input.${extension}`), 'w')).createWriteStream())
    await mkdir(join(folder, 'profile/user'), { recursive: true })
    await writeFile(join(folder, 'profile/user/registrymodifications.xcu'), settings)
    const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]
    const arguments_ = ['-env:UserInstallation=file:///job/profile', '--headless', '--norestore', '--nologo']
    const child = await spawnIsolated(
      [program.path, ...arguments_, '--convert-to', 'pdf', '--outdir', '/job/output', `/job/input.${extension}`],
      {
        folder,
        tree: program.tree,
        // Without /proc, the program can't find its libraries by itself.
        environment: { LD_LIBRARY_PATH: dirname(program.path) },
        signal: AbortSignal.any(signals),
      },
    )
    child.stdout?.resume()
    const code = await waitForExitCode(child)
    const path = join(folder, 'output/input.pdf')
    const size =
      code === 0
        ? await stat(path).then(
            (stats) => (stats.isFile() ? stats.size : 0),
            () => 0,
          )
        : 0
    if (size > 0) return { size, read: () => createReadStream(path), [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose]() }
  } catch (error) {
    await scratch[Symbol.asyncDispose]()
    throw error
  }
  await scratch[Symbol.asyncDispose]()
  return undefined
}
