import { Page } from '../../ui/page.tsx';

export const Dashboard = () => <Page title="Dashboard">{null}</Page>;
