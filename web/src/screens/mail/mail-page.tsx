import { useInfiniteQuery } from '@tanstack/react-query'
import { useIsAdmin } from '../../api/session.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { LockIcon, MailIcon } from '../../components/icons.tsx'
import { FilterBar, SearchField } from '../../components/table/filter-bar.tsx'
import { mailsQuery } from '../../features/mail/mail-queries.ts'
import { getMailStateOptions } from '../../features/mail/mail-texts.ts'
import { MailWayNote } from '../../features/mail/mail-way-note.tsx'
import { MailsTable } from '../../features/mail/mails-table.tsx'
import { t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { PagedList } from '../shared/list/paged-list.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { type MailFilters, useMailFilters } from './use-mail-filters.ts'

export function MailPage() {
  return useIsAdmin() ? (
    <Mails />
  ) : (
    <StaffPage>
      <EmptyState icon={<LockIcon />} title={t('Only administrators can see emails.')}>
        {t('Your role doesn’t allow this. Ask an administrator.')}
      </EmptyState>
    </StaffPage>
  )
}

function Mails() {
  const filters = useMailFilters()
  const { search, state, sort, change } = filters
  const list = useInfiniteQuery(mailsQuery({ search, state, sort }))
  const way = list.data?.pages[0]?.way
  const open = useDialog()
  const testButton = (
    <Button variant="primary" onClick={() => open({ kind: 'send-test-mail', way })}>
      {t('Send a test email')}
    </Button>
  )
  return (
    <StaffPage action={testButton}>
      <MailWayNote way={way} />
      <FilterBar>
        <SearchField
          label={t('Search by email address')}
          maxLength={100}
          value={search ?? ''}
          onSearch={(search) => change({ search })}
        />
        <SelectField
          label={t('State')}
          hideLabel
          placeholder={t('All states')}
          options={getMailStateOptions()}
          value={state ?? ''}
          onChange={({ target }) => change({ state: target.value })}
        />
      </FilterBar>
      <PagedList list={list} errorTitle={t('The emails did not load.')}>
        {(mails, loading) => (
          <MailsTable
            mails={mails}
            loading={loading}
            empty={search || state ? <NoMatch {...filters} /> : <NoMails />}
            sort={sort}
            onSort={(sort) => change({ sort })}
          />
        )}
      </PagedList>
    </StaffPage>
  )
}

const NoMails = () => (
  <EmptyState icon={<MailIcon />} title={t('No emails yet.')}>
    {t('Send a test email to check that delivery works.')}
  </EmptyState>
)

const NoMatch = ({ search, clear }: MailFilters) => (
  <EmptyState
    icon={<MailIcon />}
    title={search ? t('No email matches “{search}”.', { search }) : t('No email matches these filters.')}
    action={<Button onClick={clear}>{t('Clear filters')}</Button>}
  />
)
