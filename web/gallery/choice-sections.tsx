import { useState } from 'react'
import { Button } from '../src/components/form/button.tsx'
import { CheckList, type CheckListOption } from '../src/components/form/check-list.tsx'
import { ChoiceField } from '../src/components/form/choice-field.tsx'
import { Disclosure } from '../src/components/layout/disclosure.tsx'
import { Columns, Section } from './section.tsx'

const clients = Array.from({ length: 130 }, (_, index) => ({ value: `c${index}`, label: `Client ${index + 1}` }))
const longName = {
  value: 'long',
  label: 'A client with a name that is much longer than the width of a phone, so that it needs lines',
}
const own = { value: 'acme', label: 'Acme GmbH' }
const choices = [
  { value: 'keep', label: 'Keep both', hint: 'The new file gets a number.' },
  { value: 'replace', label: 'Replace' },
] as const

export function ChoiceSections() {
  const [choice, setChoice] = useState<'keep' | 'replace'>('keep')
  return (
    <>
      <Section name="Choices">
        <Columns>
          <ChoiceField label="For this file" name="choice" choices={choices} value={choice} onChange={setChoice} />
          <ChoiceField
            label="With an error"
            name="owner"
            choices={[...choices, { value: 'skip', label: 'Skip', disabledReason: 'Nothing to skip.' }]}
            value=""
            error="Choose one."
            onChange={() => {}}
          />
          <Disclosure title="Options" summary={choice === 'keep' ? 'Keep both' : 'Replace'}>
            <ChoiceField label="Options" hideLabel name="option" choices={choices} value={choice} onChange={setChoice} />
          </Disclosure>
        </Columns>
      </Section>
      <Section name="Check lists">
        <Columns>
          <Clients />
          <CheckList {...fixed} label="Loading clients" found={{ ...nothing, loading: true }} />
          <CheckList {...fixed} label="No clients" found={nothing} error="Choose at least one client." />
          <CheckList {...fixed} label="Failed clients" found={{ ...nothing, failed: true }} />
        </Columns>
      </Section>
    </>
  )
}

const nothing = { options: [], next: null, loading: false, failed: false, onMore: () => {} }
const fixed = {
  name: 'fixed',
  searchLabel: 'Search clients',
  search: '',
  onSearch: () => {},
  emptyText: 'No client matches.',
  selected: [],
  onChange: () => {},
}

/** A list that is searched, with pages of 20 and some clients selected. */
function Clients() {
  const [search, setSearch] = useState('')
  const [pages, setPages] = useState(1)
  const [selected, setSelected] = useState<readonly CheckListOption[]>([clients[120], longName].filter((client) => !!client))
  const matching = clients.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
  return (
    <CheckList
      label="Clients"
      name="clients"
      searchLabel="Search clients"
      search={search}
      onSearch={(next) => {
        setSearch(next)
        setPages(1)
      }}
      found={{
        ...nothing,
        options: matching.slice(0, pages * 20),
        next: matching.length > pages * 20 ? `${pages}` : null,
        onMore: () => setPages(pages + 1),
      }}
      emptyText="No client matches."
      locked={own}
      selected={selected}
      onChange={setSelected}
      action={<Button>New client…</Button>}
    />
  )
}
