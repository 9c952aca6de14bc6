import { useState } from 'react'
import { Button } from '../src/components/form/button.tsx'
import { SelectField } from '../src/components/form/field.tsx'
import { DownloadIcon, FileIcon, FolderIcon, LinkIcon, TrashIcon } from '../src/components/icons.tsx'
import { StatTile, StatTiles } from '../src/components/layout/stat-tile.tsx'
import { SectionLinks } from '../src/components/menu/section-links.tsx'
import { TabLinks } from '../src/components/menu/tab-links.tsx'
import { NameLink } from '../src/components/name-link.tsx'
import { FilterBar, SearchField } from '../src/components/table/filter-bar.tsx'
import { LoadMore } from '../src/components/table/load-more.tsx'
import { SelectionBar } from '../src/components/table/selection-bar.tsx'
import { TruncatedText } from '../src/components/truncated-text.tsx'
import css from './gallery.module.css'
import { Row, Section } from './section.tsx'
import { TableSection, TableVariants } from './table-sections.tsx'
import { TileSections } from './tile-sections.tsx'

export function ListSections() {
  return (
    <>
      <TableSection />
      <FilterSection />
      <LoadMoreSection />
      <TableVariants />
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
      <Section name="Section links">
        <SectionLinks
          label="Areas"
          links={[
            { label: 'Organisation', to: '/settings/organisation', current: false },
            { label: 'Appearance', to: '/settings/appearance', current: true },
            { label: 'Links', to: '/settings/links', current: false },
            { label: 'Email', to: '/settings/email', current: false },
            { label: 'Security', to: '/settings/security', current: false },
          ]}
        />
      </Section>
      <TileSections />
      <Section name="Truncated text">
        <div className={css['narrow']}>
          <TruncatedText text="Annual accounts and the auditor’s report of the year 2026.pdf" />
          <TruncatedText text="Offer.pdf" />
          <NameLink text="Keller & Partner" to="/companies" />
        </div>
      </Section>
    </>
  )
}

function FilterSection() {
  const [search, setSearch] = useState('')
  const [isSelecting, setSelecting] = useState(false)
  return (
    <Section name="Filters">
      <FilterBar>
        <SearchField label="Search links" value={search} onSearch={setSearch} />
        <SelectField label="Client" hideLabel placeholder="All clients" options={[{ value: 'acme', label: 'Acme GmbH' }]} />
        <SelectField label="Sort" hideLabel options={[{ value: 'name', label: 'Sort by name' }]} />
      </FilterBar>
      <Row>
        <span data-testid="searched">Searched for: {search}</span>
        <Button onClick={() => setSearch('')}>Clear filters</Button>
        <Button onClick={() => setSelecting(true)}>Select three</Button>
      </Row>
      {isSelecting && (
        <SelectionBar count={3} onClear={() => setSelecting(false)}>
          <Button icon={<DownloadIcon />}>Download the three</Button>
          <Button icon={<TrashIcon />}>Delete the three</Button>
        </SelectionBar>
      )}
    </Section>
  )
}

/** A list of two pages. Each filter starts a new list. */
function LoadMoreSection() {
  const [{ filter, shown }, setList] = useState({ filter: 0, shown: 50 })
  const [requestedPages, setRequestedPages] = useState<string[]>([])
  const next = shown === 50 ? `filter ${filter}` : null
  const loadMore = () => {
    setRequestedPages([...requestedPages, String(next)])
    setList({ filter, shown: 60 })
  }
  return (
    <Section name="Load more">
      <Row>
        <Button onClick={() => setList({ filter: filter + 1, shown: 50 })}>Filter the list</Button>
      </Row>
      <p data-testid="asked">Asked for: {requestedPages.join(', ')}</p>
      <LoadMore shown={shown} total={60} next={next} loading={false} onMore={loadMore} />
      <LoadMore shown={50} total={60} next="x" loading onMore={() => {}} />
      <LoadMore shown={50} next="x" loading={false} failed onMore={() => {}} />
    </Section>
  )
}
