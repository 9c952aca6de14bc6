import { useState } from 'react'
import { Age } from '../src/components/age.tsx'
import { Badge } from '../src/components/badge.tsx'
import { Button } from '../src/components/button.tsx'
import { EmptyState } from '../src/components/empty-state.tsx'
import { SelectField } from '../src/components/field.tsx'
import { FilterBar, SearchField } from '../src/components/filter-bar.tsx'
import { AlertIcon, CheckIcon, FileIcon, FolderIcon, LinkIcon, MoreIcon, PlusIcon } from '../src/components/icons.tsx'
import { LoadMore } from '../src/components/load-more.tsx'
import { Menu } from '../src/components/menu.tsx'
import { MiddleCut } from '../src/components/middle-cut.tsx'
import { SelectionBar } from '../src/components/selection-bar.tsx'
import { StatTile, StatTiles } from '../src/components/stat-tile.tsx'
import { TabLinks } from '../src/components/tab-links.tsx'
import { Table } from '../src/components/table.tsx'
import type { Column } from '../src/components/table-columns.ts'
import { SkeletonTiles, Tile, TileGrid } from '../src/components/tile-grid.tsx'
import css from './gallery.module.css'
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
  { key: 'name', header: 'Name', cell: (link) => <MiddleCut text={link.name} />, sort: 'name', primary: true },
  { key: 'type', header: 'Type', cell: (link) => link.type, width: '16%' },
  { key: 'client', header: 'Client', cell: (link) => <MiddleCut text={link.client} />, sort: 'client', width: '20%' },
  {
    key: 'files',
    header: 'Files',
    cell: (link) => link.files.toLocaleString('en'),
    align: 'end',
    sort: 'files',
    width: '10%',
    hideOnPhone: true,
  },
  { key: 'expired', header: 'Expired', cell: (link) => <Expiry expired={link.expired} />, width: 152 },
  { key: 'actions', header: 'Actions', cell: (link) => <RowMenu name={link.name} />, action: true, align: 'end', width: 68 },
]

const severalLines: Column<Link>[] = [
  ...columns.slice(0, 2),
  {
    key: 'state',
    header: 'State',
    cell: (link) => (
      <>
        <Expiry expired={link.expired} />
        <p>Ask its creator for a new one.</p>
      </>
    ),
    ownLine: true,
  },
  ...columns.slice(-1),
]

const tints = ['blue', 'green', 'amber', 'rose', 'violet', 'grey'] as const
const fileNames = [
  'Offer.pdf',
  'Annual accounts and the auditor’s report of the year 2026.pdf',
  'Site.jpg',
  'prices_final_v2_really_final_this_time.xlsx',
  'notes.txt',
  'plan.dwg',
  'a.zip',
  'talk.mp4',
]

export function ListSections() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [sort, setSort] = useState('name')
  const [opened, setOpened] = useState('nothing')
  return (
    <>
      <Section name="Table">
        {selected.size > 0 ? (
          <SelectionBar count={selected.size} onClear={() => setSelected(new Set())}>
            <Button>Reset access code</Button>
            <Button>Send link details</Button>
            <Button>Delete link</Button>
          </SelectionBar>
        ) : (
          <Row>
            <Button icon={<PlusIcon />}>Create link</Button>
          </Row>
        )}
        <Table
          caption="Links"
          columns={columns}
          rows={sorted(links, sort)}
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
      <FilterSection />
      <MoreSection />
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
          columns={severalLines}
          rows={links.slice(0, 2)}
          rowKey={(link) => link.key}
          rowLabel={(link) => link.name}
        />
      </Section>
      <Section name="Table, loading">
        <Table
          caption="Loading"
          columns={columns}
          rows={[]}
          rowKey={(link) => link.key}
          rowLabel={(link) => link.name}
          selected={selected}
          onSelect={setSelected}
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
      <Section name="Totals">
        <StatTiles label="Totals">
          <StatTile label="Total Links" icon={<LinkIcon />} value={1204} to="/links" />
          <StatTile label="Total Directories" icon={<FolderIcon />} value={undefined} to="/directories" />
          <StatTile label="Total Files" icon={<FileIcon />} value={null} to="/files" />
        </StatTiles>
      </Section>
      <Section name="Tabs">
        <TabLinks
          label="Which list"
          tabs={[
            { label: 'Files', to: '/trash', current: true },
            { label: 'Directories', to: '/trash?of=directories', current: false },
          ]}
        />
      </Section>
      <Section name="Directories">
        <TileGrid label="Directories" columns={4} loading={false} items={[0, 1, 2, 3, 4]}>
          {(index) => (
            <Tile
              key={index}
              picture={index === 1 ? '/favicon.svg' : undefined}
              glyph={<FolderIcon />}
              tint="blue"
              name={fileNames[index]?.replace(/\..*/, '') ?? ''}
              meta="24 files · 1.4 GB"
              to={`/directories/${index}`}
              menu={<RowMenu name={fileNames[index] ?? ''} />}
            />
          )}
        </TileGrid>
      </Section>
      <Section name="Directories, loading">
        <SkeletonTiles label="Directories to come" columns={4} />
      </Section>
      <RemovableTiles />
      <Section name="Files">
        <TileGrid label="Files" columns={8} loading={false} items={fileNames}>
          {(name) => (
            <Tile
              key={name}
              picture={name === fileNames[2] ? 'data:image/png,broken' : undefined}
              glyph={<FileIcon />}
              tint={tints[fileNames.indexOf(name) % 6]}
              name={name}
              meta={
                <>
                  1.4 MB · <Age instant="2026-12-03T14:05:00.000Z" short />
                </>
              }
              onOpen={() => {}}
              menu={<RowMenu name={name} />}
            />
          )}
        </TileGrid>
      </Section>
      <Section name="Middle cut">
        <div className={css['narrow']}>
          <MiddleCut text="Annual accounts and the auditor’s report of the year 2026.pdf" />
          <MiddleCut text="Offer.pdf" />
        </div>
      </Section>
    </>
  )
}

/** What is removed with its own menu leaves the focus to its neighbour. */
function RemovableTiles() {
  const [names, setNames] = useState(['One', 'Two', 'Three'])
  return (
    <Section name="Tiles that can be removed">
      <TileGrid label="Removable" columns={8} loading={false} items={names}>
        {(name) => (
          <Tile
            key={name}
            glyph={<FileIcon />}
            name={name}
            meta="1.4 MB"
            onOpen={() => {}}
            menu={
              <Menu
                label={`Actions for ${name}`}
                trigger={<MoreIcon />}
                items={[{ label: 'Remove', onSelect: () => setNames(names.filter((other) => other !== name)) }]}
              />
            }
          />
        )}
      </TileGrid>
    </Section>
  )
}

function FilterSection() {
  const [search, setSearch] = useState('')
  const [isSelecting, setSelecting] = useState(false)
  return (
    <Section name="Filters">
      <FilterBar
        selection={
          isSelecting && (
            <SelectionBar count={3} onClear={() => setSelecting(false)}>
              <Button>Delete the three</Button>
            </SelectionBar>
          )
        }
      >
        <SearchField label="Search links" value={search} onSearch={setSearch} />
        <SelectField label="Client" hideLabel placeholder="All clients" options={[{ value: 'acme', label: 'Acme GmbH' }]} />
        <SelectField label="Sort" hideLabel options={[{ value: 'name', label: 'Sort by name' }]} />
      </FilterBar>
      <Row>
        <span data-testid="searched">Searched for: {search}</span>
        <Button onClick={() => setSearch('')}>Clear filters</Button>
        <Button onClick={() => setSelecting(true)}>Select three</Button>
      </Row>
    </Section>
  )
}

/** Lists of two pages each, by the name of their filter. */
function MoreSection() {
  const [{ filter, shown }, setList] = useState({ filter: 0, shown: 50 })
  const [asked, setAsked] = useState<string[]>([])
  const next = shown === 50 ? `filter ${filter}` : null
  const more = () => {
    setAsked([...asked, String(next)])
    setList({ filter, shown: 60 })
  }
  return (
    <Section name="Load more">
      <Row>
        <Button onClick={() => setList({ filter: filter + 1, shown: 50 })}>Filter the list</Button>
      </Row>
      <p data-testid="asked">Asked for: {asked.join(', ')}</p>
      <LoadMore shown={shown} total={60} next={next} loading={false} onMore={more} />
      <LoadMore shown={50} total={60} next="x" loading onMore={() => {}} />
      <LoadMore shown={50} next="x" loading={false} failed onMore={() => {}} />
    </Section>
  )
}

const NoLinks = () => (
  <EmptyState icon={<LinkIcon />} title="No links yet." action={<Button variant="primary">Create link</Button>}>
    Create one to share a directory or a file.
  </EmptyState>
)

const Expiry = ({ expired }: { expired: boolean }) =>
  expired ? (
    <Badge tone="danger" icon={<AlertIcon />}>
      Expired
    </Badge>
  ) : (
    <Badge tone="success" icon={<CheckIcon />}>
      18 days left
    </Badge>
  )

const RowMenu = ({ name }: { name: string }) => (
  <Menu
    label={`Actions for ${name}`}
    align="end"
    trigger={<MoreIcon />}
    items={[
      { label: 'Copy link', onSelect: () => {} },
      { label: 'Rename', onSelect: () => {}, disabledReason: 'Only its creator renames it.' },
      'separator',
      { label: 'Delete', danger: true, onSelect: () => {} },
    ]}
  />
)

function sorted(rows: Link[], sort: string) {
  const by = sort.replace('-', '') as keyof Link
  const up = rows.toSorted((a, b) => String(a[by]).localeCompare(String(b[by]), 'en', { numeric: true }))
  return sort.startsWith('-') ? up.reverse() : up
}
