import type { FileRow, VersionRow } from '@neptune/contract'
import { useState } from 'react'
import { classNames } from '../../../components/class-names.ts'
import { Badge } from '../../../components/feedback/badge.tsx'
import { Skeleton } from '../../../components/feedback/skeleton.tsx'
import { useToast } from '../../../components/feedback/toast.tsx'
import { DownloadIcon, EyeIcon, MoreIcon, TrashIcon, UndoIcon } from '../../../components/icons.tsx'
import { DialogFrame } from '../../../components/layout/dialog-frame.tsx'
import { DrawerSection } from '../../../components/layout/drawer.tsx'
import { Menu } from '../../../components/menu/menu.tsx'
import { DamagedBadge, getDamageReason } from '../../../features/file/damage.tsx'
import { useDownload } from '../../../features/file/use-download.ts'
import { useRemoveVersion, useRestoreVersion } from '../../../features/file/version-queries.ts'
import { AffectedLinks } from '../../../features/link/affected-links.tsx'
import { formatNumber, t } from '../../../i18n/t.ts'
import { formatSize } from '../../../lib/sizes.ts'
import { formatDateTime } from '../../../lib/time/dates.ts'
import { describeUploader } from './describe-uploader.ts'
import css from './details.module.css'

const c = classNames(css)

interface Props {
  file: FileRow
  /** Undefined while they load. */
  versions: readonly VersionRow[] | undefined
  onPreview: (version: VersionRow) => void
}

/** The versions of a file, the current one first. */
export function VersionsSection({ file, versions, onPreview }: Props) {
  const [removing, setRemoving] = useState<VersionRow>()
  return (
    <DrawerSection title={t('Versions')}>
      {versions ? (
        <ul className={c('lines')}>
          {versions.map((version) => (
            <Version
              key={version.id}
              {...{ file, version }}
              onPreview={() => onPreview(version)}
              onRemove={() => setRemoving(version)}
            />
          ))}
        </ul>
      ) : (
        <Skeleton label={t('Loading')} />
      )}
      {versions?.length === 1 && (
        <p className={c('muted')}>{t('Upload a file with the same name and choose “Replace” to add a version.')}</p>
      )}
      {removing && <DeleteVersionDialog file={file} version={removing} onClose={() => setRemoving(undefined)} />}
    </DrawerSection>
  )
}

interface VersionProps {
  file: FileRow
  version: VersionRow
  onPreview: () => void
  onRemove: () => void
}

function Version({ file, version, onPreview, onRemove }: VersionProps) {
  const { downloadFile } = useDownload()
  const restore = useRestoreVersion()
  const toast = useToast()
  const { id, number, is_current, size, date_created, pinned_links, damaged } = version
  const disabledReason = damaged ? getDamageReason({ ...file, damaged }) : undefined
  const name = t('Version {number}', { number: formatNumber(number) })
  const runRestore = () =>
    restore.run(
      { file: file.id, version: id },
      {
        onSuccess: ({ data }) =>
          toast({
            message: t('Version {number} is current again, as version {next}.', {
              number: formatNumber(number),
              next: formatNumber(data.version ?? number),
            }),
          }),
        onError: ({ message }) => toast({ message }),
      },
    )
  const items = [
    { label: t('Preview'), icon: <EyeIcon />, disabledReason, onSelect: onPreview },
    {
      label: t('Download'),
      icon: <DownloadIcon />,
      disabledReason,
      onSelect: () => downloadFile({ ...file, ...(!is_current && { blob: id }) }),
    },
    ...(is_current
      ? []
      : [
          { label: t('Restore'), icon: <UndoIcon />, disabledReason, onSelect: runRestore },
          'separator' as const,
          { label: t('Delete'), icon: <TrashIcon />, danger: true, onSelect: onRemove },
        ]),
  ]
  return (
    <li className={c('line')}>
      <div className={c('text')}>
        <p className={c('name')}>
          {name}
          {is_current && <Badge tone="accent">{t('Current')}</Badge>}
          {pinned_links > 0 && <Badge tone="neutral">{t('{n} links show this version', { n: pinned_links })}</Badge>}
          {damaged && <DamagedBadge />}
        </p>
        <p className={c('muted')}>{[formatDateTime(date_created), describeUploader(version), formatSize(size)].join(' · ')}</p>
      </div>
      <Menu label={t('Actions for {name}', { name })} items={items} align="end" trigger={<MoreIcon />} />
    </li>
  )
}

/** Asks before a version is deleted for good, and names the links that are pinned to it. */
function DeleteVersionDialog({ file, version, onClose }: { file: FileRow; version: VersionRow; onClose: () => void }) {
  const remove = useRemoveVersion()
  return (
    <DialogFrame
      title={t('Delete version {number}?', { number: formatNumber(version.number) })}
      description={t('It’s permanently deleted, and doesn’t go to the trash.')}
      confirmLabel={t('Delete')}
      danger
      action={remove}
      error={remove.error?.message}
      onConfirm={() => remove.run({ file: file.id, version: version.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <AffectedLinks target={{ version: { file: file.id, id: version.id } }} />
    </DialogFrame>
  )
}
