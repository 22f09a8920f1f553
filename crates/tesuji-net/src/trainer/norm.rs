//! Batch norm over the shares of all threads.

use super::step::{Message, TrainingStep};
use crate::kernel::{
    Block, LANES, Mask, Measure, Moments, Normalize, NormalizeBack, Rows, Scale, blocks, numbers,
    numbers_mut, zeros,
};
use crate::layout::BatchNorm;
use crate::parameters::Parameters;
use crate::reference::EPSILON;
use std::ops::Range;

/// A batch norm with what its derivative needs.
#[derive(Debug)]
pub(super) struct TrainingNorm {
    /// Its input in standard deviations.
    pub(super) normal: Vec<Block>,
    /// Its output, after an addition and ReLU.
    pub(super) out: Vec<Block>,
    scale: Option<Scale>,
    /// Values of a channel in the whole batch.
    count: f64,
}

/// A thread's part of one normalization.
#[derive(Clone, Copy)]
pub(super) struct Turn<'a> {
    pub(super) thread: usize,
    /// Of the threads' meetings.
    pub(super) round: usize,
    pub(super) rows: Rows,
    /// Those that share the channels.
    pub(super) norms: &'a [&'a BatchNorm],
}

/// The meetings of a thread with the others.
#[derive(Debug)]
pub(super) struct Meetings {
    thread: usize,
    round: usize,
}

impl Meetings {
    pub(super) fn of(thread: usize) -> Meetings {
        Meetings { thread, round: 0 }
    }

    /// The next one.
    pub(super) fn turn<'a>(&mut self, rows: Rows, norms: &'a [&'a BatchNorm]) -> Turn<'a> {
        self.round += 1;
        Turn { thread: self.thread, round: self.round - 1, rows, norms }
    }
}

impl TrainingNorm {
    /// The normalization of images of `blocks` blocks.
    pub(super) fn new(blocks: usize) -> TrainingNorm {
        TrainingNorm { normal: zeros(blocks), out: zeros(blocks), scale: None, count: 0.0 }
    }

    /// Normalizes `normal` by the moments of the whole batch.
    pub(super) fn forward(
        &mut self,
        step: &TrainingStep,
        Turn { thread, round, rows, norms }: Turn,
        skip: Option<&[Block]>,
        derivatives: &mut Parameters,
    ) {
        let channels: usize = norms.iter().map(|norm| norm.channels()).sum();
        let groups = blocks(channels);
        let mut moments = Moments::new(groups * LANES);
        step.instructions.run(Measure { rows, images: &self.normal, moments: &mut moments });
        let mut all = Moments::new(groups * LANES);
        for message in step.all_gather.meet(round, thread, Message::Moments(moments)) {
            if let Message::Moments(moments) = message {
                all.add(moments);
            }
        }
        self.count = all.count();
        let narrow = |numbers: &mut dyn Iterator<Item = f64>| {
            let mut to = zeros(groups);
            numbers_mut(&mut to).iter_mut().zip(numbers).for_each(|(to, x)| *to = x as f32);
            to
        };
        let learned = |range: fn(&BatchNorm) -> Range<usize>| {
            let all = norms.iter().flat_map(|norm| &step.parameters.learned[range(norm)]);
            narrow(&mut all.map(|&x| x.into()))
        };
        let scale = Scale {
            mean: narrow(&mut all.means().iter().copied()),
            inverse: narrow(&mut all.variances(0.0).map(|v| 1.0 / (v + EPSILON).sqrt())),
            gamma: learned(|c| c.gamma.clone()),
            beta: learned(|c| c.beta.clone()),
        };
        let (normal, out) = (&mut self.normal, &mut self.out);
        step.instructions.run(Normalize { rows, scale: &scale, normal, skip, out });
        self.scale = Some(scale);
        let mut statistics = all.means().iter().copied().zip(all.variances(1.0));
        for c in norms {
            for (i, (mean, variance)) in statistics.by_ref().take(c.channels()).enumerate() {
                derivatives.statistics[c.mean.start + i] = mean as f32;
                derivatives.statistics[c.variance.start + i] = variance as f32;
            }
        }
    }

    /// Takes `gradient` back through ReLU, in place, and through the normalization to `to`.
    pub(super) fn back(
        &mut self,
        step: &TrainingStep,
        Turn { thread, round, rows, norms }: Turn,
        gradient: &mut [Block],
        to: &mut [Block],
        derivatives: &mut Parameters,
    ) {
        let scale = self.scale.as_ref().expect("forward comes first");
        let groups = scale.mean.len();
        let channels = groups * LANES;
        let mut sums = vec![0.0; 2 * channels];
        let (out, normal) = (&self.out, &self.normal);
        step.instructions.run(Mask { rows, out, normal, gradient, sums: &mut sums });
        let mut all = vec![0.0; 2 * channels];
        for message in step.all_gather.meet(round, thread, Message::Sums(sums)) {
            if let Message::Sums(sums) = message {
                all.iter_mut().zip(sums).for_each(|(all, x)| *all += x);
            }
        }
        let [mut by, mut beta, mut gamma] = [(); 3].map(|()| zeros(groups));
        for i in 0..channels {
            numbers_mut(&mut by)[i] = numbers(&scale.gamma)[i] * numbers(&scale.inverse)[i];
            numbers_mut(&mut beta)[i] = (all[i] / self.count) as f32;
            numbers_mut(&mut gamma)[i] = (all[channels + i] / self.count) as f32;
        }
        step.instructions.run(NormalizeBack {
            rows,
            by: &by,
            beta: &beta,
            gamma: &gamma,
            normal,
            gradient,
            to,
        });
        // The sums are the whole batch's: one thread has them.
        let share = if thread == 0 { 1.0 } else { 0.0 };
        let mut channel = 0;
        for c in norms {
            for i in 0..c.channels() {
                derivatives.learned[c.beta.start + i] = (share * all[channel]) as f32;
                derivatives.learned[c.gamma.start + i] = (share * all[channels + channel]) as f32;
                channel += 1;
            }
        }
    }
}
