/** Everyone's goal for a week, in miles (9.5). */
export const weeklyGoalMiles = 5;
