import { useState } from 'react'
import { BrandMark } from '../src/components/brand-mark.tsx'
import { Button, ButtonLink, IconButton } from '../src/components/form/button.tsx'
import { Checkbox } from '../src/components/form/checkbox.tsx'
import { ColourField } from '../src/components/form/colour-field.tsx'
import { CopyField } from '../src/components/form/copy-field.tsx'
import { DropArea } from '../src/components/form/drop-area.tsx'
import { DateField, PasswordField, SelectField, TextField } from '../src/components/form/field.tsx'
import { FormError } from '../src/components/form/form-error.tsx'
import { IconChoice } from '../src/components/form/icon-choice.tsx'
import { QuantityField } from '../src/components/form/quantity-field.tsx'
import * as icons from '../src/components/icons.tsx'
import { Logo } from '../src/components/logo.tsx'
import { LogoField } from '../src/features/brand/logo-field.tsx'
import { BrandContext } from '../src/lib/brand.ts'
import { ChoiceSections } from './choice-sections.tsx'
import css from './gallery.module.css'
import { Columns, Row, Section } from './section.tsx'

const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><path d="M0 0h3v1H0z" fill="#b3541e"/></svg>'
const sampleLogo = { url: `data:image/svg+xml,${encodeURIComponent(drawing)}`, width: 240, height: 80 }
const logoField = { onChoose: () => {}, onRemove: () => {} }
const noImages = { light: undefined, dark: undefined }

const companies = [
  { value: 'acme', label: 'Acme GmbH' },
  { value: 'globex', label: 'Globex Corporation' },
  { value: 'initech', label: 'Initech (closed)', disabled: true },
]
const sizes = ['MB', 'GB'].map((unit) => ({ value: unit, label: unit }))
const groupedEvents = [
  { label: 'Files', options: [{ value: 'uploaded', label: 'Uploaded a file' }] },
  { label: 'Links', options: [{ value: 'opened', label: 'Opened a link' }] },
]
const formErrors = [
  { field: 'gallery-email', message: 'Enter an email address, such as kim@acme.example.' },
  { message: 'The company does not accept new users.' },
]

export function ControlSections() {
  const [attempts, setAttempts] = useState(0)
  return (
    <>
      <Section name="Buttons">
        <Row>
          <Button variant="primary">Create Link</Button>
          <Button>Reset access code</Button>
          <Button variant="danger">Delete Link</Button>
          <ButtonLink to="/links" icon={<icons.LinkIcon />}>
            View Link
          </ButtonLink>
          <Button icon={<icons.UploadIcon />}>Upload file</Button>
          <IconButton label="More" icon={<icons.MoreIcon />} />
        </Row>
        <Row>
          <Button variant="primary" busy>
            Create Link
          </Button>
          <Button busy icon={<icons.RefreshIcon />}>
            Reset access code
          </Button>
          <Button variant="danger" busy>
            Delete Link
          </Button>
          <Button variant="primary" disabledReason="Choose a company and a directory first.">
            Choose a file
          </Button>
          <IconButton label="Delete" icon={<icons.TrashIcon />} disabledReason="Only admins can delete users." />
        </Row>
      </Section>
      <Section name="Fields">
        <Columns>
          <TextField label="Name" placeholder="Annual accounts" />
          <TextField label="Directory" hint="Letters, digits, spaces and dashes." defaultValue="Annual accounts 2026" />
          <TextField id="gallery-email" label="E-mail address" type="email" error="Enter an email address." defaultValue="kim@" />
          <PasswordField label="Password" defaultValue="correct horse" autoComplete="new-password" />
          <SelectField label="Company" options={companies} placeholder="Choose a company" />
          <SelectField label="Link type" options={companies} disabled hint="Choose a company and a directory first." />
          <SelectField label="Client" options={companies} placeholder="Choose a client" required error="Choose a client." />
          <SelectField label="Event" options={groupedEvents} placeholder="All events" />
          <QuantityField label="Quota" units={sizes} unit="GB" onUnitChange={() => {}} defaultValue="20" hint="Default: 10 GB." />
          <QuantityField
            label="Keep for"
            units={[{ value: 'day', label: 'days' }]}
            defaultValue="0"
            error="Enter at least 1 day."
          />
          <ColourField label="Colour" colour="#006eb3" onPick={() => {}} defaultValue="#006eb3" />
          <DateField label="Expires" defaultValue="2026-12-03" />
          <TextField label="Search" hideLabel type="search" placeholder="Search directories" />
        </Columns>
        <Row>
          <Checkbox label="Remember me" defaultChecked />
          <Checkbox label="Let the recipient upload" />
          <Checkbox label="Notify the sender" disabled />
        </Row>
        <Row>
          <Button onClick={() => setAttempts(attempts + 1)}>Show the summary of errors</Button>
        </Row>
        {attempts > 0 && <FormError title="The user was not created." errors={formErrors} attempt={attempts} />}
        <FormError title="Incorrect email or password." announce="alert" />
      </Section>
      <Section name="Icon choice">
        <ViewChoice />
      </Section>
      <ChoiceSections />
      <Section name="Copy fields">
        <Columns>
          <CopyField label="Access code" value="K7QM-2XWP-9DRT" />
          <CopyField label="Link" value="https://files.acme.example/access/7YqPz4mWk2c3K9aLrT0bVnXyEwQs" />
        </Columns>
      </Section>
      <Section name="Drop area">
        <DropArea icon={<icons.FileIcon />} hint="Drop a file here." label="Choose file" onFile={() => {}} />
      </Section>
      <Section name="Logo fields">
        <Columns>
          <LogoField {...logoField} theme="light" images={noImages} />
          <LogoField {...logoField} theme="dark" images={{ ...noImages, light: sampleLogo.url }} />
          <LogoField
            {...logoField}
            theme="light"
            images={{ ...noImages, light: sampleLogo.url }}
            error="This image can’t be used as a logo."
          />
        </Columns>
      </Section>
      <Section name="Logo and icons">
        <Row>
          <Logo withName />
          <Logo size={48} />
        </Row>
        <Row>
          <BrandContext value={{ name: 'Keller & Partner', logos: { light: null, dark: null } }}>
            <BrandMark place="bar" />
            <BrandMark place="card" />
          </BrandContext>
          <BrandContext value={{ name: 'Keller & Partner', logos: { light: sampleLogo, dark: null } }}>
            <BrandMark place="bar" />
            <BrandMark place="card" isNamed />
          </BrandContext>
        </Row>
        <Row>
          {Object.entries(icons).map(([name, Icon]) => (
            <span key={name} className={css['icon']}>
              <Icon />
              {name.replace('Icon', '')}
            </span>
          ))}
        </Row>
      </Section>
    </>
  )
}

function ViewChoice() {
  const [view, setView] = useState<'list' | 'tiles'>('list')
  return (
    <IconChoice
      label="View"
      choices={[
        { value: 'list', label: 'List', icon: <icons.ListIcon /> },
        { value: 'tiles', label: 'Tiles', icon: <icons.GridIcon /> },
      ]}
      value={view}
      onChange={setView}
    />
  )
}
