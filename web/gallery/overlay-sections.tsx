import { useState } from 'react'
import { useToast } from '../src/components/feedback/toast.tsx'
import { Button } from '../src/components/form/button.tsx'
import { SelectField, TextField } from '../src/components/form/field.tsx'
import { useAction } from '../src/components/form/use-action.ts'
import { CopyIcon, DownloadIcon, TrashIcon } from '../src/components/icons.tsx'
import { DialogFrame } from '../src/components/layout/dialog-frame.tsx'
import { Drawer, DrawerSection, Facts } from '../src/components/layout/drawer.tsx'
import { Menu } from '../src/components/menu/menu.tsx'
import { Row, Section } from './section.tsx'

type OpenDialog = 'none' | 'create' | 'delete' | 'failed' | 'upload' | 'drawer'

export function OverlaySections() {
  const [openDialog, setOpenDialog] = useState<OpenDialog>('none')
  const [chosen, setChosen] = useState('nothing')
  const toast = useToast()
  const close = () => setOpenDialog('none')
  return (
    <>
      <Section name="Dialogs">
        <Row>
          <Button onClick={() => setOpenDialog('create')}>Open create dialog</Button>
          <Button onClick={() => setOpenDialog('delete')}>Open delete dialog</Button>
          <Button onClick={() => setOpenDialog('failed')}>Open failed dialog</Button>
          <Button onClick={() => setOpenDialog('upload')}>Open upload dialog</Button>
          <Button onClick={() => setOpenDialog('drawer')}>Open drawer</Button>
        </Row>
        {openDialog === 'create' && <CreateDialog onClose={close} />}
        {openDialog === 'delete' && <DeleteDialog onClose={close} />}
        {openDialog === 'failed' && <FailingDialog onClose={close} />}
        {openDialog === 'upload' && <UploadDialog onClose={close} />}
        {openDialog === 'drawer' && <FileDrawer onClose={close} />}
      </Section>
      <Section name="Menus">
        <Row>
          <Menu
            label="Actions"
            trigger={<span>Actions</span>}
            items={[
              { label: 'Copy link', icon: <CopyIcon />, onSelect: () => setChosen('copy') },
              { label: 'Download', icon: <DownloadIcon />, onSelect: () => setChosen('download') },
              { label: 'Delete', icon: <TrashIcon />, danger: true, onSelect: () => setOpenDialog('delete') },
            ]}
          />
          <span data-testid="chosen">Chosen: {chosen}</span>
        </Row>
      </Section>
      <Section name="Toasts">
        <Row>
          <Button
            onClick={() =>
              toast({ message: 'Deleted “Offer.pdf”.', action: { label: 'Undo', onSelect: () => setChosen('undo') } })
            }
          >
            Delete with undo
          </Button>
          <Button onClick={() => toast({ message: 'Sent the link details to kim.doe@a-company-with-a-long-name.example.' })}>
            Send
          </Button>
        </Row>
      </Section>
    </>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const remove = useAction(async () => onClose())
  return (
    <DialogFrame
      title="Delete Shareable Link"
      description="Anyone using the link loses access right away."
      confirmLabel="Delete Link"
      danger
      action={remove}
      onConfirm={() => remove.run()}
      onClose={onClose}
    />
  )
}

/** Fails at every attempt, with the same error. */
function FailingDialog({ onClose }: { onClose: () => void }) {
  const create = useAction(() => new Promise((_, reject) => setTimeout(reject, 100, new Error())))
  const hasFailed = create.error !== undefined
  const errors = [{ field: 'email', message: 'Enter an email address, such as kim@acme.example.' }]
  return (
    <DialogFrame
      title="Create User"
      confirmLabel="Create User"
      action={create}
      error={hasFailed ? { title: 'The user was not created.', errors } : undefined}
      onConfirm={() => create.run()}
      onClose={onClose}
    >
      <TextField label="Name" name="name" />
      <TextField label="E-mail address" name="email" type="email" error={hasFailed ? errors[0]?.message : undefined} />
    </DialogFrame>
  )
}

function UploadDialog({ onClose }: { onClose: () => void }) {
  const [hasFile, setHasFile] = useState(false)
  const toast = useToast()
  const [isUndone, setUndone] = useState(false)
  const upload = useAction(async () => {
    toast({ message: 'Uploaded the file.' })
    onClose()
  })
  return (
    <DialogFrame
      title="Upload file"
      description={isUndone ? 'Undone.' : 'To Annual accounts 2026.'}
      confirmLabel="Upload file"
      confirmDisabledReason={hasFile ? undefined : 'Choose a file first.'}
      error="The last file was not uploaded. Its name already exists."
      action={upload}
      onConfirm={() => upload.run()}
      onClose={onClose}
    >
      <label>
        File <input type="file" onChange={(event) => setHasFile(event.target.files?.length === 1)} />
      </label>
      <Button
        onClick={() =>
          toast({ message: 'Removed the last one.', action: { label: 'Put back', onSelect: () => setUndone(true) } })
        }
      >
        Remove the last one
      </Button>
    </DialogFrame>
  )
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [hasSubmitted, setSubmitted] = useState(false)
  const create = useAction(async () => onClose())
  return (
    <DialogFrame
      title="Create Directory"
      description="Create a directory to upload files and assets to."
      confirmLabel="Create Directory"
      dirty={name !== ''}
      action={create}
      onConfirm={() => (name === '' ? setSubmitted(true) : create.run())}
      onClose={onClose}
    >
      <SelectField label="Company" options={[{ value: 'acme', label: 'Acme GmbH' }]} placeholder="Choose a company" />
      <TextField
        label="Name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={hasSubmitted ? 'Enter a name.' : undefined}
      />
    </DialogFrame>
  )
}

const FileDrawer = ({ onClose }: { onClose: () => void }) => (
  <Drawer
    eyebrow="File"
    title="Annual accounts and the auditor’s report of the year 2026.pdf"
    actions={<Button icon={<DownloadIcon />}>Download</Button>}
    onClose={onClose}
  >
    <Facts
      facts={[
        { name: 'Size', value: '1.4 MB' },
        { name: 'Added by', value: 'Kim Doe' },
      ]}
    />
    <DrawerSection title="Versions">
      <p>There are no earlier versions.</p>
    </DrawerSection>
  </Drawer>
)
