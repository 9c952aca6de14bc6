import { useState } from 'react'
import { classNames } from '../components/class-names.ts'
import { DialogFrame } from '../components/dialog-frame.tsx'
import { SelectField } from '../components/field.tsx'
import { AlertIcon } from '../components/icons.tsx'
import { MiddleCut } from '../components/middle-cut.tsx'
import { useAction } from '../components/use-action.ts'
import { type Clash, linksAtMost, withConflicts } from '../features/upload/clashes.ts'
import type { PickedFile } from '../features/upload/picked-files.ts'
import type { Conflict, Target } from '../features/upload/transfer.ts'
import { transfers } from '../features/upload/uploads.ts'
import { formatNumber, t } from '../words/t.ts'
import parts from './parts.module.css'
import css from './upload-dialogs.module.css'

const c = classNames({ ...parts, ...css })

interface UploadClashDialogProps {
  files: readonly PickedFile[]
  target: Target
  clashes: readonly Clash[]
  onClose: () => void
}

/** Asks once what to do about all names that are taken. */
export function UploadClashDialog({ files, target, clashes, onClose }: UploadClashDialogProps) {
  const [forAll, setForAll] = useState<Conflict | 'each'>('keep')
  const [single, setSingle] = useState<Record<string, Conflict>>({})
  const choiceOf = (name: string): Conflict => (forAll === 'each' ? (single[name] ?? 'keep') : forAll)
  const upload = useAction(
    async () =>
      transfers.add(withConflicts(files, Object.fromEntries(clashes.map(({ name }) => [name, choiceOf(name)]))), target),
    { onSuccess: onClose },
  )
  const isOne = clashes.length === 1
  const lost = clashes.filter(({ name }) => choiceOf(name) === 'replace').reduce((sum, { links }) => sum + links, 0)
  return (
    <DialogFrame
      title={isOne ? t('This name is taken') : t('These names are taken')}
      description={
        isOne
          ? t('{directory} already has a file called “{name}”.', { directory: target.name, name: clashes[0]?.name ?? '' })
          : t('{directory} already has {taken} of your {n} files.', {
              directory: target.name,
              taken: formatNumber(clashes.length),
              n: files.length,
            })
      }
      confirmLabel={t('Upload')}
      action={upload}
      onConfirm={() => upload.run()}
      onClose={onClose}
    >
      <fieldset className={c('choices')}>
        <legend className={c('legend')}>{isOne ? t('For this file') : t('For all {n} files', { n: clashes.length })}</legend>
        {choices.map(({ value, label, hint }) => (
          <Choice key={value} label={t(label)} hint={t(hint)} checked={forAll === value} onChoose={() => setForAll(value)} />
        ))}
        {!isOne && <Choice label={t('Choose for each')} checked={forAll === 'each'} onChoose={() => setForAll('each')} />}
      </fieldset>
      {lost > 0 && <LostLinks links={lost} isOne={isOne} />}
      {!isOne && (
        <ul className={c('names')} aria-label={t('Names that are taken')}>
          {clashes.map(({ name, links }) => (
            <li key={name} className={c('name')}>
              <span>
                <MiddleCut text={name} />
                {links > 0 && <span className={c('hint')}>{t('Shared by {n} links', { n: countOf(links) })}</span>}
              </span>
              {forAll === 'each' && (
                <SelectField
                  label={t('What to do with {name}', { name })}
                  hideLabel
                  options={choices.map(({ value, label }) => ({ value, label: t(label) }))}
                  value={choiceOf(name)}
                  onChange={({ target }) => setSingle({ ...single, [name]: target.value as Conflict })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </DialogFrame>
  )
}

/** Says how many links stop working once their files are replaced. */
const LostLinks = ({ links, isOne }: { links: number; isOne: boolean }) => (
  <p className={c('note')} role="status">
    <AlertIcon />
    <span>
      {isOne
        ? t('{n} links share this file. If you replace it, they stop working until you restore the old file.', {
            n: countOf(links),
          })
        : t('{n} links share the files you replace. They stop working until you restore the old files.', { n: countOf(links) })}
    </span>
  </p>
)

/** The server stops counting at this number for one file. */
const countOf = (links: number) => (links < linksAtMost ? links : `${links}+`)

const choices = [
  { value: 'keep', label: 'Keep both', hint: 'The new file gets a number, such as “Offer (1).pdf”.' },
  { value: 'replace', label: 'Replace', hint: 'The old file goes to the trash.' },
] as const

interface ChoiceProps {
  label: string
  hint?: string
  checked: boolean
  onChoose: () => void
}

const Choice = ({ label, hint, checked, onChoose }: ChoiceProps) => (
  <label className={c('choice')}>
    <input type="radio" name="conflict" className={c('radio')} checked={checked} onChange={onChoose} />
    <span>
      {label}
      {hint && <span className={c('hint')}>{hint}</span>}
    </span>
  </label>
)
