import { Badge } from '../src/components/feedback/badge.tsx'
import { EmptyState } from '../src/components/feedback/empty-state.tsx'
import { ErrorState } from '../src/components/feedback/error-state.tsx'
import { Progress } from '../src/components/feedback/progress.tsx'
import { Skeleton } from '../src/components/feedback/skeleton.tsx'
import { UsageBadge, UsageBar } from '../src/components/feedback/usage.tsx'
import { Button } from '../src/components/form/button.tsx'
import { AlertIcon, CheckIcon, FolderIcon, InfoIcon, LockIcon } from '../src/components/icons.tsx'
import { Columns, Row, Section } from './section.tsx'

export function FeedbackSections() {
  return (
    <>
      <Section name="Usage of a limit">
        {[40, 85, 97, 120].map((percent) => (
          <Row key={percent}>
            <UsageBadge percent={percent} />
            <div style={{ width: 240 }}>
              <UsageBar percent={percent} />
            </div>
          </Row>
        ))}
      </Section>
      <Section name="Badges">
        <Row>
          <Badge tone="neutral">User</Badge>
          <Badge tone="success" icon={<CheckIcon />}>
            Active
          </Badge>
          <Badge tone="warning" icon={<AlertIcon />}>
            2 days left
          </Badge>
          <Badge tone="danger" icon={<LockIcon />}>
            Expired
          </Badge>
          <Badge tone="accent" icon={<InfoIcon />}>
            Admin
          </Badge>
        </Row>
      </Section>
      <Section name="Progress">
        <Columns>
          <Progress label="Offer.pdf" value={41} />
          <Progress label="Annual accounts and the auditor’s report of the year 2026.pdf" value={100} />
          <Progress label="Preparing" value={null} />
          <Progress label="All files" value={7} hideLabel />
        </Columns>
      </Section>
      <Section name="Skeletons">
        <Skeleton width={240} height={20} label="Loading the summary" />
        <Skeleton />
        <Skeleton width="60%" />
      </Section>
      <Section name="Empty and error">
        <Columns>
          <EmptyState icon={<FolderIcon />} title="No directories yet." action={<Button>Create Directory</Button>}>
            Create one to upload files to.
          </EmptyState>
          <ErrorState
            title="The links could not be loaded."
            detail="The server did not answer. Check your connection."
            onRetry={() => {}}
            requestId="01JD8Z7T3Q"
          />
        </Columns>
      </Section>
    </>
  )
}
