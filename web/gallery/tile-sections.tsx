import { useState } from 'react'
import { Age } from '../src/components/age.tsx'
import { FileIcon, FolderIcon, MoreIcon } from '../src/components/icons.tsx'
import { Menu } from '../src/components/menu/menu.tsx'
import { SkeletonTiles, Tile, TileGrid } from '../src/components/table/tile-grid.tsx'
import { RowMenu } from './row-menu.tsx'
import { Section } from './section.tsx'

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

export function TileSections() {
  return (
    <>
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
      <SelectableTiles />
      <Section name="Directories, loading">
        <SkeletonTiles label="Loading directories" columns={4} />
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
              type={name.split('.').at(-1)?.toUpperCase()}
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
    </>
  )
}

/** Tiles whose menu removes them. The focus then moves to the neighbor. */
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

/** Compact tiles that can be selected. */
function SelectableTiles() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['Payroll']))
  const toggle = (name: string) =>
    setSelected(new Set([...selected, name].filter((each) => each !== name || !selected.has(name))))
  return (
    <Section name="Folders that can be selected">
      <TileGrid label="Folders" columns={4} loading={false} items={['Bank statements', 'Payroll', 'Receipts']}>
        {(name) => (
          <Tile
            key={name}
            id={name}
            isCompact
            glyph={<FolderIcon />}
            tint="blue"
            name={name}
            meta="24 files · 1.4 GB"
            onOpen={() => {}}
            isSelected={selected.has(name)}
            onToggle={toggle}
            menu={<RowMenu name={name} />}
          />
        )}
      </TileGrid>
    </Section>
  )
}
