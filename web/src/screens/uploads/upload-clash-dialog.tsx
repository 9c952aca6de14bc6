import { useState } from 'react'
import { classNames } from '../../components/class-names.ts'
import { ChoiceField } from '../../components/form/choice-field.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { LinkIcon } from '../../components/icons.tsx'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { addConflictResolutions, type Clash, getClashPath, maxCountedLinks } from '../../features/upload/files/name-clashes.ts'
import type { Picked } from '../../features/upload/files/picked-files.ts'
import { staffUploads } from '../../features/upload/staff-uploads.ts'
import type { ConflictResolution, UploadTarget } from '../../features/upload/state/upload-job.ts'
import { formatNumber, t } from '../../i18n/t.ts'
import parts from '../shared/dialogs/dialog-parts.module.css'
import css from './upload-dialogs.module.css'

const c = classNames({ ...parts, ...css })

/** The maximum number of names to list. If there are more, they are counted, and there is one choice for all. */
const maxListed = 200

interface UploadClashDialogProps {
  picked: Picked
  target: UploadTarget
  clashes: readonly Clash[]
  onClose: () => void
}

/** Asks once what to do about all file names that already exist. */
export function UploadClashDialog({ picked, target, clashes, onClose }: UploadClashDialogProps) {
  const [choiceForAll, setChoiceForAll] = useState<ConflictResolution | 'each'>('keep')
  const [choiceByPath, setChoiceByPath] = useState<Record<string, ConflictResolution>>({})
  const getChoice = (clash: Clash): ConflictResolution =>
    choiceForAll === 'each' ? (choiceByPath[getClashPath(clash)] ?? 'keep') : choiceForAll
  const upload = useAction(
    async () => {
      const choices = new Map(clashes.map((clash) => [getClashPath(clash), getChoice(clash)]))
      staffUploads.add({ ...picked, files: addConflictResolutions(picked.files, choices) }, target)
    },
    { onSuccess: onClose },
  )
  const isSingle = clashes.length === 1
  const canChooseEach = !isSingle && clashes.length <= maxListed
  const replaced = clashes.filter((clash) => getChoice(clash) === 'replace')
  return (
    <DialogFrame
      title={isSingle ? t('This name is taken') : t('These names are taken')}
      description={
        isSingle
          ? t('{directory} already has a file called “{name}”.', {
              directory: target.name,
              name: clashes[0] ? getClashPath(clashes[0]) : '',
            })
          : t('{taken} of your {n} files have names that already exist in {directory}.', {
              directory: target.name,
              taken: formatNumber(clashes.length),
              n: picked.files.length,
            })
      }
      confirmLabel={t('Upload')}
      action={upload}
      onConfirm={() => upload.run()}
      onClose={onClose}
    >
      <ChoiceField
        label={isSingle ? t('For this file') : t('For all {n} files', { n: clashes.length })}
        name="conflict"
        choices={[
          ...getChoices(clashes[0]),
          ...(canChooseEach ? [{ value: 'each' as const, label: t('Decide for each file') }] : []),
        ]}
        value={choiceForAll}
        onChange={setChoiceForAll}
      />
      <LinkNote replaced={replaced} />
      {!isSingle && (
        <ul className={c('names')} aria-label={t('Existing names')}>
          {clashes.slice(0, maxListed).map((clash) => (
            <ClashItem
              key={getClashPath(clash)}
              clash={clash}
              choice={choiceForAll === 'each' ? getChoice(clash) : undefined}
              onChoose={(choice) => setChoiceByPath({ ...choiceByPath, [getClashPath(clash)]: choice })}
            />
          ))}
          {clashes.length > maxListed && (
            <li className={c('name', 'hint')}>{t('and {n} more', { n: clashes.length - maxListed })}</li>
          )}
        </ul>
      )}
    </DialogFrame>
  )
}

interface ClashItemProps {
  clash: Clash
  /** Undefined if one choice applies to all files. */
  choice: ConflictResolution | undefined
  onChoose: (choice: ConflictResolution) => void
}

function ClashItem({ clash, choice, onChoose }: ClashItemProps) {
  const path = getClashPath(clash)
  return (
    <li className={c('name')}>
      <span>
        <TruncatedText text={path} />
        {clash.links > 0 && (
          <span className={c('hint')}>{t('Shared through {n} links', { n: formatLinkCount(clash.links) })}</span>
        )}
      </span>
      {choice && (
        <SelectField
          label={t('What to do with {name}', { name: path })}
          hideLabel
          options={getChoices(clash)}
          value={choice}
          onChange={({ target }) => onChoose(target.value as ConflictResolution)}
        />
      )}
    </li>
  )
}

/** Says how many links will show the new versions, and how many keep showing an earlier one. */
function LinkNote({ replaced }: { replaced: readonly Clash[] }) {
  const count = (key: 'links' | 'pinned') => replaced.reduce((sum, clash) => sum + clash[key], 0)
  const [links, pinned] = [count('links'), count('pinned')]
  if (links + pinned === 0) return null
  return (
    <p className={c('note')} role="status">
      <LinkIcon />
      <span>
        {links > 0 && t('{n} links will show the new version.', { n: formatLinkCount(links) })}{' '}
        {pinned > 0 && t('{n} links will keep showing the version they’re pinned to.', { n: formatLinkCount(pinned) })}
      </span>
    </p>
  )
}

/** Formats a number of links. The server stops counting at `maxCountedLinks` per file. */
const formatLinkCount = (links: number) => (links < maxCountedLinks ? links : `${links}+`)

/** The choices for a name that is taken, with this name as the example. */
const getChoices = (clash: Clash | undefined) =>
  [
    {
      value: 'keep',
      label: t('Keep both'),
      hint: t('The new file gets a number, such as “{name}”.', { name: addNumber(clash?.name ?? '') }),
    },
    {
      value: 'replace',
      label: t('Replace'),
      hint: t('The new file becomes the current version, which links show. The old one becomes an earlier version.'),
    },
  ] as const

/** Returns a name with a number, as the server chooses it: `Offer (1).pdf`. */
const addNumber = (name: string) => name.replace(/^(.+?)((?:\.tar)?\.[\p{L}\p{N}_-]{1,16})?$/iu, '$1 (1)$2')
