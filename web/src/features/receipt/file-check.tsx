import type { Receipt } from '@neptune/contract'
import { useEffect, useRef, useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { Progress } from '../../components/feedback/progress.tsx'
import { Button } from '../../components/form/button.tsx'
import { DropArea } from '../../components/form/drop-area.tsx'
import { FileIcon } from '../../components/icons.tsx'
import { t } from '../../i18n/t.ts'
import { shortenName } from '../../lib/shorten-name.ts'
import { CheckResult } from './check-result.tsx'
import { assertReadable, hashFile } from './hash-file.ts'
import css from './receipt.module.css'

const c = classNames(css)

type State =
  | { kind: 'none' }
  | { kind: 'hashing'; name: string; percent: number }
  | { kind: 'listed'; names: readonly string[] }
  | { kind: 'not-listed'; name: string; isNameListed: boolean }
  | { kind: 'failed'; name: string }

/** Checks whether a receipt lists a file. */
export function FileCheck({ receipt }: { receipt: Receipt }) {
  const [state, setState] = useState<State>({ kind: 'none' })
  const currentCheck = useRef<AbortController>(undefined)
  useEffect(() => () => currentCheck.current?.abort(), [])

  const stop = () => {
    currentCheck.current?.abort()
    setState({ kind: 'none' })
  }
  const check = async (file: File) => {
    currentCheck.current?.abort()
    const controller = new AbortController()
    currentCheck.current = controller
    const { name } = file
    const show = (next: State) => controller.signal.aborted || setState(next)
    let shownPercent = 0
    show({ kind: 'hashing', name, percent: 0 })
    try {
      const matches = await findMatches(receipt, file, controller.signal, (percent) => {
        if (percent === shownPercent) return // render once per percent, not once per chunk
        shownPercent = percent
        show({ kind: 'hashing', name, percent })
      })
      show(
        matches.length > 0
          ? { kind: 'listed', names: matches }
          : { kind: 'not-listed', name, isNameListed: receipt.files.some((listed) => listed.name === name) },
      )
    } catch {
      show({ kind: 'failed', name })
    }
  }
  return (
    <>
      {state.kind === 'hashing' ? (
        <div className={c('hashing')}>
          <Progress label={t('Reading “{name}”', { name: shortenName(state.name) })} value={state.percent} />
          <Button onClick={stop}>{t('Cancel')}</Button>
        </div>
      ) : (
        <DropArea
          icon={<FileIcon />}
          hint={t('Drop a file here to check whether this receipt lists it. The file stays on this computer.')}
          label={t('Choose file')}
          onFile={(file) => void check(file)}
        />
      )}
      <div role="status">
        <Outcome state={state} />
      </div>
    </>
  )
}

function Outcome({ state }: { state: State }) {
  switch (state.kind) {
    case 'listed': {
      const [first = '', ...others] = state.names
      return (
        <CheckResult tone="good" title={t('This file matches “{name}” in the receipt, byte for byte.', { name: first })}>
          {others.length > 0
            ? t('The receipt also lists the same content under {n} other names: {names}.', {
                n: others.length,
                names: others.join(', '),
              })
            : t('Its SHA-256 hash is the same as in the receipt.')}
        </CheckResult>
      )
    }
    case 'not-listed':
      return (
        <CheckResult tone="bad" title={t('This file is not in this receipt.')}>
          {state.isNameListed
            ? t('The receipt has a file named “{name}”, but with different content.', { name: state.name })
            : t('No file in the receipt has the content of “{name}”.', { name: state.name })}
        </CheckResult>
      )
    case 'failed':
      return (
        <CheckResult tone="unsure" title={t('The file could not be read.')}>
          {t('“{name}” was moved or changed, or it’s a folder. Choose it again.', { name: state.name })}
        </CheckResult>
      )
    default:
      return null
  }
}

/** Returns the names of listed files with the same content. Hashes the file only if one of them has the same size. */
async function findMatches(receipt: Receipt, file: File, signal: AbortSignal, onPercent: (percent: number) => void) {
  const candidates = receipt.files.filter(({ size }) => size === file.size)
  if (candidates.length === 0) {
    await assertReadable(file) // reports a folder as unreadable, not as a mismatch
    return []
  }
  const hash = await hashFile(file, signal, (bytes) => onPercent(Math.floor((bytes / file.size) * 100)))
  return candidates.filter(({ sha256 }) => sha256.toLowerCase() === hash).map(({ name }) => name)
}
