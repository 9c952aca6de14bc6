import type { CompanyDetails } from '@neptune/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { useAction } from '../../components/form/use-action.ts'
import { DialogFrame } from '../../components/layout/dialog-frame.tsx'
import { companyQuery } from '../../features/company/company-queries.ts'
import { t } from '../../i18n/t.ts'

interface Props {
  id: string
  title: string
  onClose: () => void
  children: (company: CompanyDetails) => ReactNode
}

/** Loads a company for a dialog that needs more than the rows of lists contain. */
export function CompanyDialogLoader({ id, title, onClose, children }: Props) {
  const { data, error, refetch } = useQuery(companyQuery(id))
  const retry = useAction(() => refetch(), { isRepeatable: true })
  if (data) return children(data)
  if (error)
    return (
      <DialogFrame
        title={title}
        confirmLabel={t('Try again')}
        action={retry}
        error={error.message}
        onConfirm={() => retry.run()}
        onClose={onClose}
      />
    )
  return (
    <DialogFrame title={title} confirmLabel={t('Cancel')} onClose={onClose}>
      <Skeleton height={64} label={t('Loading')} />
    </DialogFrame>
  )
}
