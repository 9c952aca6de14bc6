import { useState } from 'react'
import { Badge } from '../src/components/feedback/badge.tsx'
import { EmptyState } from '../src/components/feedback/empty-state.tsx'
import { Button } from '../src/components/form/button.tsx'
import { AlertIcon, CheckIcon, KeyIcon, LinkIcon, MailIcon, PlusIcon, TrashIcon } from '../src/components/icons.tsx'
import { SelectionBar } from '../src/components/table/selection-bar.tsx'
import { Table } from '../src/components/table/table.tsx'
import type { Column } from '../src/components/table/table-columns.ts'
import { TruncatedText } from '../src/components/truncated-text.tsx'
import { RowMenu } from './row-menu.tsx'
import { Row, Section } from './section.tsx'

interface Link {
  key: string
  name: string
  type: string
  client: string
  files: number
  expired: boolean
}

const links: Link[] = [
  {
    key: '7YqPz4',
    name: 'Annual accounts and the auditor’s report of the year 2026.pdf',
    type: 'File',
    client: 'Acme GmbH',
    files: 1,
    expired: false,
  },
  { key: '1aLrT0', name: 'Offer.pdf', type: 'File', client: 'Globex Corporation', files: 1, expired: true },
  {
    key: 'bVnXyE',
    name: 'Plans',
    type: 'Directory',
    client: 'The Very Long Company Name of Lower Saxony mbH',
    files: 1204,
    expired: false,
  },
  {
    key: 'wQs2c3',
    name: 'Pictures of the site, week 48',
    type: 'Editable directory',
    client: 'Acme GmbH',
    files: 87,
    expired: false,
  },
  { key: 'K9mWk2', name: 'Contracts', type: 'Directory', client: 'Initech', files: 12, expired: false },
]

const columns: Column<Link>[] = [
  { key: 'name', header: 'Name', cell: (link) => <TruncatedText text={link.name} />, sort: 'name', primary: true },
  { key: 'type', header: 'Type', cell: (link) => link.type, width: '16%' },
  { key: 'client', header: 'Client', cell: (link) => <TruncatedText text={link.client} />, sort: 'client', width: '20%' },
  {
    key: 'files',
    header: 'Files',
    cell: (link) => link.files.toLocaleString('en'),
    align: 'end',
    sort: 'files',
    width: '10%',
  },
  { key: 'expired', header: 'Expired', cell: (link) => <ExpiryBadge expired={link.expired} />, width: 152 },
  { key: 'actions', header: 'Actions', cell: (link) => <RowMenu name={link.name} />, action: true, align: 'end', width: 68 },
]

const multilineColumns: Column<Link>[] = [
  ...columns.slice(0, 2),
  {
    key: 'state',
    header: 'State',
    cell: (link) => (
      <>
        <ExpiryBadge expired={link.expired} />
        <p>Ask its creator for a new one.</p>
      </>
    ),
    ownLine: true,
  },
  ...columns.slice(-1),
]

/** A table with all features. */
export function TableSection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [sort, setSort] = useState('name')
  const [opened, setOpened] = useState('nothing')
  return (
    <Section name="Table">
      <Row>
        <Button icon={<PlusIcon />}>Create link</Button>
      </Row>
      {selected.size > 0 && (
        <SelectionBar count={selected.size} onClear={() => setSelected(new Set())}>
          <Button icon={<KeyIcon />}>Reset access code</Button>
          <Button icon={<MailIcon />}>Send link details</Button>
          <Button icon={<TrashIcon />}>Delete link</Button>
        </SelectionBar>
      )}
      <Table
        caption="Links"
        columns={columns}
        rows={sortRows(links, sort)}
        rowKey={(link) => link.key}
        rowLabel={(link) => link.name}
        selected={selected}
        onSelect={setSelected}
        sort={sort}
        onSort={setSort}
        onOpen={(link) => setOpened(link.name)}
      />
      <p data-testid="opened">Opened: {opened}</p>
    </Section>
  )
}

export function TableVariants() {
  return (
    <>
      <Section name="Table, plain">
        <Table
          caption="Plain"
          columns={columns.slice(0, 4)}
          rows={links.slice(0, 2)}
          rowKey={(link) => link.key}
          rowLabel={(link) => link.name}
        />
      </Section>
      <Section name="Table, with cells of several lines">
        <Table
          caption="Several lines"
          columns={multilineColumns}
          rows={links.slice(0, 2)}
          rowKey={(link) => link.key}
          rowLabel={(link) => link.name}
        />
      </Section>
      <Section name="Table, grouped">
        <Table
          caption="Grouped"
          columns={columns.slice(0, 4)}
          rows={links}
          rowKey={(link) => link.key}
          rowLabel={(link) => link.name}
          getGroup={({ expired, key }) => (expired || key === '7YqPz4' ? 'Today' : 'November 2026')}
        />
      </Section>
      <Section name="Table, loading">
        <Table
          caption="Loading"
          columns={columns}
          rows={[]}
          rowKey={(link) => link.key}
          rowLabel={(link) => link.name}
          selected={new Set()}
          onSelect={() => {}}
          loading
        />
      </Section>
      <Section name="Table, empty">
        <Table
          caption="Empty"
          columns={columns}
          rows={[]}
          rowKey={(link) => link.key}
          rowLabel={(link) => link.name}
          empty={<NoLinks />}
        />
      </Section>
    </>
  )
}

const NoLinks = () => (
  <EmptyState icon={<LinkIcon />} title="No links yet." action={<Button variant="primary">Create link</Button>}>
    Create one to share a directory or a file.
  </EmptyState>
)

const ExpiryBadge = ({ expired }: { expired: boolean }) =>
  expired ? (
    <Badge tone="danger" icon={<AlertIcon />}>
      Expired
    </Badge>
  ) : (
    <Badge tone="success" icon={<CheckIcon />}>
      18 days left
    </Badge>
  )

function sortRows(rows: Link[], sort: string) {
  const field = sort.replace('-', '') as keyof Link
  const ascending = rows.toSorted((a, b) => String(a[field]).localeCompare(String(b[field]), 'en', { numeric: true }))
  return sort.startsWith('-') ? ascending.reverse() : ascending
}
