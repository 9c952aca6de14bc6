import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { PlusIcon, WebhookIcon } from '../../components/icons.tsx'
import { FilterBar } from '../../components/table/filter-bar.tsx'
import { webhooksQuery } from '../../features/webhook/webhook-queries.ts'
import { WebhooksTable } from '../../features/webhook/webhooks-table.tsx'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { CompanyFilter } from '../shared/list/company-filter.tsx'
import { PagedList } from '../shared/list/paged-list.tsx'
import { useFilters } from '../shared/list/use-filters.ts'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { useWebhookActions } from './use-webhook-actions.ts'

export function WebhooksPage() {
  const hasSeveralCompanies = useHasSeveralCompanies()
  const { read, change, clear } = useFilters()
  const company = read('company', 64)
  const list = useInfiniteQuery(webhooksQuery(company))
  const actions = useWebhookActions()
  return (
    <StaffPage action={<CreateButton company={company} variant="primary" />}>
      {hasSeveralCompanies && (
        <FilterBar>
          <CompanyFilter company={company} onChange={(company) => change({ company })} />
        </FilterBar>
      )}
      <PagedList list={list} errorTitle={t('The webhooks did not load.')}>
        {(webhooks, loading) => (
          <WebhooksTable
            webhooks={webhooks}
            loading={loading}
            empty={company ? <NoMatch onClear={clear} /> : <NoWebhooks />}
            withCompany={hasSeveralCompanies}
            actions={actions}
          />
        )}
      </PagedList>
    </StaffPage>
  )
}

interface CreateButtonProps extends Pick<ComponentProps<typeof Button>, 'variant'> {
  company?: string | undefined
}

function CreateButton({ company, variant }: CreateButtonProps) {
  const open = useDialog()
  return (
    <Button variant={variant} icon={<PlusIcon />} onClick={() => open({ kind: 'create-webhook', ...(company && { company }) })}>
      {t('Create webhook')}
    </Button>
  )
}

const NoWebhooks = () => (
  <EmptyState
    icon={<WebhookIcon />}
    title={t('No webhooks yet. Create one to notify a program about uploads, downloads and opened links.')}
    action={<CreateButton />}
  />
)

const NoMatch = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    icon={<WebhookIcon />}
    title={t('This company has no webhooks.')}
    action={<Button onClick={onClear}>{t('Clear filters')}</Button>}
  />
)
