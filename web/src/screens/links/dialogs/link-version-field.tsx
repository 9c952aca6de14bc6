import { useQuery } from '@tanstack/react-query'
import { SelectField } from '../../../components/form/field.tsx'
import { versionsQuery } from '../../../features/file/version-queries.ts'
import { formatNumber, t } from '../../../i18n/t.ts'
import { formatDateTime } from '../../../lib/time/dates.ts'

interface Props {
  /** The id of the file. */
  file: string
  /** The id of the version; undefined for the newest one. */
  version: string | undefined
  onChange: (version: string | undefined) => void
  error: string | undefined
}

/** Lets the user choose whether recipients get the newest version of a file, or the one that is current now. */
export function LinkVersionField({ file, version, onChange, error }: Props) {
  const versions = useQuery(versionsQuery(file))
  const current = versions.data?.find(({ id, is_current }) => (version === undefined ? is_current : id === version))
  return (
    <SelectField
      label={t('Version')}
      name="version"
      options={[
        { value: '', label: t('Always the newest version') },
        { value: current?.id ?? 'loading', label: t('This version'), disabled: current === undefined },
      ]}
      value={version ?? ''}
      onChange={({ target }) => onChange(target.value || undefined)}
      hint={
        version !== undefined &&
        current &&
        t('Recipients keep getting version {number} from {date}, even if someone replaces the file.', {
          number: formatNumber(current.number),
          date: formatDateTime(current.date_created),
        })
      }
      error={error}
    />
  )
}
