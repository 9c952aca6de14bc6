import type { LinkRow } from '@neptune/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasSeveralCompanies } from '../../api/session.ts'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { Button } from '../../components/form/button.tsx'
import { SelectField } from '../../components/form/field.tsx'
import { KeyIcon, LinkIcon, MailIcon, PersonIcon, TrashIcon } from '../../components/icons.tsx'
import { FilterBar, SearchField } from '../../components/table/filter-bar.tsx'
import { SelectionBar } from '../../components/table/selection-bar.tsx'
import { linksQuery } from '../../features/link/link-queries.ts'
import { getArchivedLinkReason, getLinkStateOptions, getUnsendableReason } from '../../features/link/link-texts.ts'
import { LinksTable } from '../../features/link/links-table.tsx'
import { RecipientRequests } from '../../features/link/recipient-requests.tsx'
import { openRequestsQuery } from '../../features/link/request-queries.ts'
import { useHasMailServer } from '../../features/mail/mail-queries.ts'
import { userQuery } from '../../features/user/user-queries.ts'
import { type Text, t } from '../../i18n/t.ts'
import { useDialog } from '../shared/dialogs/dialog.ts'
import { ReadyLinkPanel } from '../shared/links/ready-link-panel.tsx'
import { CompanyFilter } from '../shared/list/company-filter.tsx'
import { PagedList } from '../shared/list/paged-list.tsx'
import { SubjectFilter } from '../shared/list/subject-filter.tsx'
import { ArchivedFilterNote } from '../shared/page/archived-note.tsx'
import { StaffPage } from '../shared/page/staff-page.tsx'
import { CreateLinkButton } from './create-link-button.tsx'
import { type LinkFilters, type Subject, useLinkFilters } from './use-link-filters.ts'

export function LinksPage() {
  return (
    <StaffPage action={<CreateLinkButton variant="primary" />}>
      <ReadyLinkPanel />
      <OpenRequests />
      <Links />
    </StaffPage>
  )
}

function OpenRequests() {
  const { data: requests = [] } = useQuery(openRequestsQuery())
  const hasMailServer = useHasMailServer()
  const open = useDialog()
  return (
    requests.length > 0 && (
      <RecipientRequests
        requests={requests}
        hasMailServer={hasMailServer}
        onNewCode={(request) => open({ kind: 'new-code', request })}
        onChooseDate={(request) => open({ kind: 'grant-time', request })}
      />
    )
  )
}

function Links() {
  const filters = useLinkFilters()
  const { search, company, state, subject, sort, change } = filters
  const list = useInfiniteQuery(linksQuery({ search, company, state, ...(subject && { [subject.kind]: subject.id }), sort }))
  const open = useDialog()
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set())
  // `selectedKeys` may still contain links that are no longer in the list.
  const links = (list.data?.pages ?? []).flatMap(({ data }) => data)
  const selectedLinks = links.filter(({ key }) => selectedKeys.has(key))
  return (
    <>
      {subject && <LinkSubject {...subject} onClear={() => change({ [subject.kind]: '' })} />}
      <FilterBar>
        <Filters {...filters} />
      </FilterBar>
      <ArchivedFilterNote company={company} />
      <PagedList list={list} errorTitle={t('The links did not load.')}>
        {(links, loading) => (
          <LinksTable
            links={links}
            loading={loading}
            empty={search || company || state || subject ? <NoMatch {...filters} /> : <NoLinks />}
            onOpen={(link) => open({ kind: 'link-details', link })}
            selected={selectedKeys}
            onSelect={setSelectedKeys}
            sort={sort}
            onSort={(sort) => change({ sort })}
          />
        )}
      </PagedList>
      {selectedLinks.length > 0 && (
        <SelectionBar
          count={selectedLinks.length}
          isPartial={selectedLinks.length === links.length && list.hasNextPage}
          onClear={() => setSelectedKeys(new Set())}
        >
          <SelectionActions links={selectedLinks} />
        </SelectionBar>
      )}
    </>
  )
}

/** Shows the actions for selected links. A code can be reset or sent only for one link at a time. */
function SelectionActions({ links }: { links: readonly LinkRow[] }) {
  const open = useDialog()
  const [link, ...others] = links
  const deleteButton = (
    <Button icon={<TrashIcon />} onClick={() => open({ kind: 'delete-links', links })}>
      {others.length === 0 ? t('Delete link') : t('Delete links')}
    </Button>
  )
  if (!link || others.length > 0) return deleteButton
  return (
    <>
      <Button icon={<KeyIcon />} disabledReason={getArchivedLinkReason(link)} onClick={() => open({ kind: 'reset-link', link })}>
        {t('Reset access code')}
      </Button>
      <Button icon={<MailIcon />} disabledReason={getUnsendableReason(link)} onClick={() => open({ kind: 'send-link', link })}>
        {t('Send link details')}
      </Button>
      {deleteButton}
    </>
  )
}

const subjectTexts = {
  file: 'Links to one file',
  directory: 'Links to one directory and its files',
} as const satisfies Partial<Record<Subject, Text>>

/** Shows what the URL limits the list to. */
function LinkSubject({ kind, id, onClear }: { kind: Subject; id: string; onClear: () => void }) {
  const owner = useQuery({ ...userQuery(id), enabled: kind === 'owner' }).data
  const clearLabel = t('Show all links')
  if (kind !== 'owner')
    return <SubjectFilter icon={<LinkIcon size={16} />} text={t(subjectTexts[kind])} clearLabel={clearLabel} onClear={onClear} />
  const text = owner ? t('Links of {name}', { name: owner.name }) : t('Links of one person')
  return <SubjectFilter icon={<PersonIcon size={16} />} text={text} clearLabel={clearLabel} onClear={onClear} />
}

function Filters({ search, company, state, change }: LinkFilters) {
  const hasSeveralCompanies = useHasSeveralCompanies()
  return (
    <>
      <SearchField label={t('Search links')} maxLength={100} value={search ?? ''} onSearch={(search) => change({ search })} />
      {hasSeveralCompanies && <CompanyFilter company={company} onChange={(company) => change({ company })} />}
      <SelectField
        label={t('State')}
        hideLabel
        placeholder={t('All states')}
        options={getLinkStateOptions()}
        value={state ?? ''}
        onChange={({ target }) => change({ state: target.value })}
      />
    </>
  )
}

const NoLinks = () => (
  <EmptyState
    icon={<LinkIcon />}
    title={t('No links yet. Create one to share a directory or a file.')}
    action={<CreateLinkButton />}
  />
)

const NoMatch = ({ search, clear }: LinkFilters) => (
  <EmptyState
    icon={<LinkIcon />}
    title={search ? t('No link matches “{search}”.', { search }) : t('No link matches these filters.')}
    action={<Button onClick={clear}>{t('Clear filters')}</Button>}
  />
)
