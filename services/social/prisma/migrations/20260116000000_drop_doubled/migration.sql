drop table recap_streaks;
